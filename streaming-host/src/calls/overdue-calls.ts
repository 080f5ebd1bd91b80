/**
 * Ends calls that ring or last too long, and holds that nobody ends. Every host looks, so that a call outlives neither its limit nor the host that
 * placed it; hanging up twice is hanging up once.
 */
import type { Settings } from "@voice/shared/config/settings";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { CallRecord, CallStatus, CallStore } from "@voice/shared/state/ports/call-store";
import { answerWindowMs } from "./begin-call.ts";

export interface OverdueOptions {
  readonly calls: CallStore;
  readonly settings: Pick<Settings, "commCallTimeoutMs" | "commMaxCallMs">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `status`: what the record becomes at once; a call that lasted too long ends with the service's own event. */
  readonly end: (call: CallRecord, status: "failed" | "disconnected", reason: string) => Promise<void>;
  /** Gives a caller back who was put on hold. */
  readonly resume: (call: CallRecord) => Promise<void>;
}

const ringCheckMs = 1000;
const holdCheckMs = 2000;
/** Reading a long call means reading its log, so this is done rarely and only for the oldest. */
const lengthCheckMs = 15_000;
const pageSize = 20;
/** The host that talks on the call says goodbye first and hangs up itself. */
const goodbyeMs = 20_000;
/** The host that put a call on hold takes it back itself. */
const resumptionMs = 3000;

/** Returns its teardown. */
export function watchOverdueCalls({ calls, settings, clock, logger, end, resume }: OverdueOptions): () => void {
  const timers = new Map<string, CancelTimer>();

  /** Lists are newest first; what is overdue stands at their end. */
  async function oldest(status: CallStatus): Promise<readonly CallRecord[]> {
    const { total, calls: newest } = await calls.list({ offset: 0, limit: pageSize, status });
    const page = total > pageSize ? await calls.list({ offset: total - pageSize, limit: pageSize, status }) : undefined;
    return (page?.calls ?? newest).map(({ call }) => call);
  }

  async function checkRinging(): Promise<void> {
    for (const call of [...(await oldest("initiating")), ...(await oldest("ringing"))]) {
      const limitMs = call.direction === "outbound" ? settings.commCallTimeoutMs : answerWindowMs;
      if (clock.wallNow() - call.createdAtMs > limitMs) await end(call, "failed", "no answer");
    }
  }

  async function checkLength(): Promise<void> {
    for (const call of [...(await oldest("connected")), ...(await oldest("on_hold"))]) {
      const sinceMs = call.connectedAtMs ?? call.createdAtMs;
      if (clock.wallNow() - sinceMs > settings.commMaxCallMs + goodbyeMs)
        await end(call, "disconnected", "maximum call length");
    }
  }

  async function checkHolds(): Promise<void> {
    for (const call of await oldest("on_hold"))
      if (clock.wallNow() > (call.holdUntilMs ?? 0) + resumptionMs) await resume(call);
  }

  function repeat(name: string, everyMs: number, check: () => Promise<void>): void {
    timers.set(
      name,
      clock.setTimer(everyMs, () => {
        check()
          .catch((error: unknown) => logger.warn({ code: toVoiceError(error).code }, "overdue calls were not found"))
          .finally(() => {
            if (timers.has(name)) repeat(name, everyMs, check);
          });
      }),
    );
  }

  repeat("ringing", ringCheckMs, checkRinging);
  repeat("holds", holdCheckMs, checkHolds);
  repeat("length", lengthCheckMs, checkLength);
  return () => {
    for (const cancel of timers.values()) cancel();
    timers.clear();
  };
}
