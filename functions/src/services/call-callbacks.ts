/** Processes the callbacks of Azure Communication Services about calls. */
import { azureCallback, toCallReport } from "@voice/shared/calls/azure/azure-event";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { applyReport, type ReportDependencies } from "./apply-report.ts";
import type { VendorEvent } from "./delivered-events.ts";

interface CallbackDependencies extends ReportDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface CallbackOutcome {
  readonly processed: number;
  readonly failed: number;
  readonly callConnectionId: string | undefined;
}

/** The service's ids are never longer, and internal events limit the length of ids. */
const maxIdLength = 256;

/**
 * Rejects as soon as something cannot be stored: the sender then delivers everything again, and ids prevent it from being processed twice.
 * Acknowledging only the stored part would lose the rest. Events that no retry can fix are counted and do not block the others.
 */
export async function processCallbacks(
  events: readonly VendorEvent[],
  headerConnectionId: string | undefined,
  dependencies: CallbackDependencies,
): Promise<CallbackOutcome> {
  let processed = 0;
  let failed = 0;
  let callConnectionId: string | undefined;
  let fault: Error | undefined;
  // Processed in order, because later events of a delivery depend on the earlier ones.
  for (const event of events) {
    const callback = azureCallback.parse(event.data);
    const connectionId = callback.callConnectionId ?? headerConnectionId;
    callConnectionId ??= connectionId;
    try {
      const isId = connectionId !== undefined && connectionId.length <= maxIdLength;
      const atMs = event.timeMs ?? dependencies.clock.wallNow();
      const { id: eventId, type, source } = event;
      const report = { eventId, type, atMs, content: toCallReport(callback) };
      const isKnown = isId && (await applyReport({ ...report, connectionId }, source, dependencies));
      if (isKnown) processed += 1;
      else failed += 1;
    } catch (error) {
      if (mayWorkLater(error)) throw repeatable(error);
      dependencies.logger.error({ error, callbackType: event.type }, "a callback cannot be applied");
      failed += 1;
      fault ??= toVoiceError(error);
    }
  }
  // Nothing was done because of a bug of ours; a retry may reach a fixed version.
  if (processed === 0 && fault !== undefined) throw fault;
  return { processed, failed, callConnectionId };
}

/** This includes losing eight compare-and-set races: the record was busy, not invalid. */
function mayWorkLater(error: unknown): boolean {
  return error instanceof VoiceError && (error.retryable || error.code === "conflict");
}

/** A conflict would be answered with 409, and the sender does not retry after 4xx. */
function repeatable(error: unknown): unknown {
  const isRace = error instanceof VoiceError && error.code === "conflict";
  return isRace ? new VoiceError("dependency_not_ready", "a call's record is too busy", { cause: error }) : error;
}
