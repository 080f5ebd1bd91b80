/**
 * Whether the communication service's reports reach us. They go to BASE_URL; with a wrong one calls can be heard, but nothing is
 * known of them: their log stays empty, and no transfer has an outcome.
 */
import { isCallbackType } from "@voice/shared/contracts/calls/call-log";
import { VoiceError } from "@voice/shared/platform/errors";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import type { OutageLog } from "@voice/shared/platform/outage-log";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { CallStore } from "@voice/shared/state/ports/call-store";

/** A report comes within a second, and after a cold start of the functions app within a few. */
export const reportedWithinMs = 20_000;

const sentences = {
  failing: "the communication service's reports about calls do not arrive: does BASE_URL lead to the functions app?",
  over: "the communication service's reports about calls arrive again",
};
const problem = "its reports about calls do not arrive: BASE_URL must lead to the functions app";

export class ReportWatch {
  readonly #calls: Pick<CallStore, "events">;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #arriving: OutageLog;
  readonly #timers = new Map<string, CancelTimer>();
  #isMissing = false;

  constructor({ calls, clock, logger }: { calls: Pick<CallStore, "events">; clock: Clock; logger: Logger }) {
    this.#calls = calls;
    this.#clock = clock;
    this.#logger = logger;
    this.#arriving = createOutageLog(logger, sentences);
  }

  /** Undefined while nothing is known to be wrong. */
  get problem(): string | undefined {
    return this.#isMissing ? problem : undefined;
  }

  /** Something has happened to the call that the service reports. */
  expect(callId: string): void {
    if (this.#timers.has(callId)) return;
    const check = (): void => {
      this.#timers.delete(callId);
      void this.#check(callId);
    };
    this.#timers.set(callId, this.#clock.setTimer(reportedWithinMs, check));
  }

  arrived(): void {
    this.#isMissing = false;
    this.#arriving.worked();
  }

  stop(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  async #check(callId: string): Promise<void> {
    await warnIfItFails(this.#logger, { callId }, "whether a call was reported could not be looked up", async () => {
      const entries = await this.#calls.events(callId);
      if (entries.some(({ type }) => isCallbackType(type))) this.arrived();
      else this.#missed();
    });
  }

  #missed(): void {
    this.#isMissing = true;
    this.#arriving.failed(new VoiceError("upstream_timeout", problem, { reason: problem }));
  }
}
