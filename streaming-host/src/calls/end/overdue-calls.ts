/**
 * Ends calls that ring or last too long, and holds that nobody ends. Every host checks, so that a call outlives neither
 * its limit nor the host that placed it; hanging up twice is harmless. A failure with one call does not affect the
 * others.
 */
import { callerHasGone, noAnswer, notAccepted, notHandledInTime } from "@voice/shared/calls/failure-reason";
import type { CallFailure } from "@voice/shared/calls/failure-reason";
import type { Settings } from "@voice/shared/config/settings";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import type { CallStatus } from "@voice/shared/contracts/calls/call-status";
import type { CallRecord, CallStore } from "@voice/shared/state/ports/call-store";

/** No service lets an inbound call be answered for longer. */
export const answerWindowMs = 30_000;

export interface OverdueOptions {
  readonly calls: CallStore;
  readonly settings: Pick<Settings, "commCallTimeoutMs" | "commMaxCallMs">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** With a failure, the record fails at once; a call that lasted too long ends with the service's own event. */
  readonly end: (call: CallRecord, why: "too-long" | CallFailure) => Promise<void>;
  /** Takes a caller back from hold. */
  readonly resume: (call: CallRecord) => Promise<void>;
}

const ringCheckMs = 1000;
const holdCheckMs = 2000;
/** Reading a long call means reading its log, so this is done rarely and only for the oldest calls. */
const lengthCheckMs = 15_000;
const pageSize = 20;
/** The grace period in which the host that talks on the call says goodbye and hangs up itself. */
const goodbyeMs = 20_000;
/** The grace period in which the host that put a call on hold takes it back itself. */
const resumptionMs = 3000;
/**
 * After an outage of the state store, the host that talks on a call reports that first; until then its record may say
 * that it rings.
 */
const trustAfterMs = 5000;
const checkSentences = { failing: "overdue calls were not found", over: "overdue calls are found again" };

/** Returns the function that stops watching. */
export function watchOverdueCalls(options: OverdueOptions): () => void {
  const watch = new OverdueCalls(options);
  watch.start();
  return () => watch.stop();
}

class OverdueCalls {
  readonly #options: OverdueOptions;
  readonly #timers = new Map<string, CancelTimer>();
  /** What is being done, by call: a service that hangs over one of them keeps no other waiting. */
  readonly #inCare = new Set<string>();
  #trustedFromMs = 0;

  constructor(options: OverdueOptions) {
    this.#options = options;
  }

  start(): void {
    this.#repeat("ringing", ringCheckMs, () => this.#checkRinging());
    this.#repeat("holds", holdCheckMs, () => this.#checkHolds());
    this.#repeat("length", lengthCheckMs, () => this.#checkLength());
  }

  stop(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  async #checkRinging(): Promise<void> {
    const { settings, end, clock } = this.#options;
    const limitOf = ({ direction }: CallRecord): number =>
      direction === "outbound" ? settings.commCallTimeoutMs : answerWindowMs;
    const isTrusted = clock.now() >= this.#trustedFromMs;
    for (const status of ["initiating", "ringing"] as const)
      for await (const call of this.#oldestFirst(status, Math.min(settings.commCallTimeoutMs, answerWindowMs)))
        if (isTrusted && this.#age(call.createdAtMs) > limitOf(call))
          void this.#care(call, "ends an unanswered call", () => end(call, whyUnanswered(call)));
  }

  async #checkLength(): Promise<void> {
    const { settings, end } = this.#options;
    const limitMs = settings.commMaxCallMs + goodbyeMs;
    for (const status of ["connected", "on_hold"] as const)
      for await (const call of this.#oldestFirst(status, limitMs))
        if (this.#age(call.connectedAtMs ?? call.createdAtMs) > limitMs)
          void this.#care(call, "ends a call of the longest length", () => end(call, "too-long"));
  }

  async #checkHolds(): Promise<void> {
    const { clock, resume } = this.#options;
    for await (const call of this.#oldestFirst("on_hold", 0))
      if (clock.wallNow() > (call.holdUntilMs ?? 0) + resumptionMs)
        void this.#care(call, "gives back a call on hold", () => resume(call));
  }

  #age(sinceMs: number): number {
    return this.#options.clock.wallNow() - sinceMs;
  }

  /** Never rejects, however long the service refuses one call. Runs once at a time for each call. */
  async #care(call: CallRecord, what: string, work: () => Promise<void>): Promise<void> {
    const care = `${what}:${call.callId}`;
    if (this.#inCare.has(care)) return;
    this.#inCare.add(care);
    try {
      await work();
    } catch (error) {
      const { code } = toVoiceError(error);
      this.#options.logger.warn(
        { error, code, callId: call.callId, what },
        "an overdue call could not be looked after",
      );
    } finally {
      this.#inCare.delete(care);
    }
  }

  /** Lists are newest first, so this starts at their end; calls created less than `youngestMs` ago are left out. */
  async *#oldestFirst(status: CallStatus, youngestMs: number): AsyncGenerator<CallRecord> {
    const { calls } = this.#options;
    const seen = new Set<string>();
    for (let { total: offset } = await calls.list({ offset: 0, limit: 1, status }); offset > 0;) {
      const limit = Math.min(pageSize, offset);
      offset -= limit;
      const page = await calls.list({ offset, limit, status });
      for (const { call } of page.calls.toReversed()) {
        if (this.#age(call.createdAtMs) < youngestMs) return;
        if (!seen.has(call.callId)) yield call;
        seen.add(call.callId);
      }
    }
  }

  #repeat(name: string, everyMs: number, check: () => Promise<void>): void {
    const { clock, logger } = this.#options;
    const log = createOutageLog(logger, checkSentences, { check: name });
    const failed = (error: unknown): void => {
      this.#trustedFromMs = clock.now() + trustAfterMs;
      log.failed(error);
    };
    const wait = (): CancelTimer => clock.setTimer(everyMs, () => void check().then(log.worked, failed).then(again));
    const again = (): void => {
      if (this.#timers.has(name)) this.#timers.set(name, wait());
    };
    this.#timers.set(name, wait());
  }
}

/** The request to place a call is lost if the process that recorded it died before it published the event. */
function whyUnanswered({ direction, firstAskedAtMs, callConnectionId, notBegunBecause }: CallRecord): CallFailure {
  if (direction === "inbound")
    return callConnectionId === undefined && notBegunBecause !== undefined
      ? notHandledInTime(notBegunBecause)
      : callerHasGone;
  if (callConnectionId !== undefined) return noAnswer;
  return firstAskedAtMs === undefined ? notHandledInTime(notBegunBecause) : notAccepted(notBegunBecause);
}
