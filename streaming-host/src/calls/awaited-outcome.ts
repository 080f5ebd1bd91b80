/** How something went that the service has accepted. It tells some process by a callback; the call's log tells everyone. */
import { shortEventType } from "@voice/shared/calls/call-transitions";
import { describeFailure } from "@voice/shared/calls/failure-reason";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Clock } from "@voice/shared/platform/clock";
import { pause } from "@voice/shared/platform/pause";
import type { CallLogEntry, CallStore } from "@voice/shared/state/ports/call-store";
import type { EffectOutcome } from "../session/host-effects.ts";

export interface AwaitedEvents {
  readonly succeeded: string;
  readonly failed: string;
}

export const transferEvents: AwaitedEvents = { succeeded: "CallTransferAccepted", failed: "CallTransferFailed" };
export const digitEvents: AwaitedEvents = { succeeded: "SendDtmfTonesCompleted", failed: "SendDtmfTonesFailed" };

const pollMs = 250;

export interface AwaitedRequest {
  readonly callId: string;
  readonly operationContext: string;
  readonly events: AwaitedEvents;
  readonly boundMs: number;
  /** What it means that the service says nothing. */
  readonly otherwise: EffectOutcome;
}

export async function awaitOutcome(calls: CallStore, clock: Clock, request: AwaitedRequest): Promise<EffectOutcome> {
  const deadlineMs = clock.now() + request.boundMs;
  while (clock.now() < deadlineMs) {
    const outcome = outcomeIn((await unlessAway(() => calls.events(request.callId))) ?? [], request);
    if (outcome !== undefined) return outcome;
    await pause(clock, pollMs);
  }
  return request.otherwise;
}

/** Undefined while the cache is away: it has no news, and what is under way goes on without. */
export async function unlessAway<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (toVoiceError(error).code !== "cache_connection_failed") throw error;
    return undefined;
  }
}

/** Undefined while the log says nothing about it. */
export function outcomeIn(
  log: readonly CallLogEntry[],
  { operationContext, events }: Pick<AwaitedRequest, "operationContext" | "events">,
): EffectOutcome | undefined {
  for (const { type, details } of log) {
    if (details["operation_context"] !== operationContext) continue;
    const name = shortEventType(type);
    if (name === events.succeeded) return { ok: true };
    if (name === events.failed) return { ok: false, reason: reasonIn(details) };
  }
  return undefined;
}

function reasonIn(details: Readonly<Record<string, unknown>>): string {
  const { code, sub_code: subCode } = details;
  const reason = describeFailure({
    code: typeof code === "number" ? code : undefined,
    subCode: typeof subCode === "number" ? subCode : undefined,
  });
  return reason ?? "the other side could not be reached";
}
