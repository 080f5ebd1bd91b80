/**
 * Which of a realtime model's refusals are told: a service in trouble may send a thousand of the same a second, and each would become
 * a message to the client and a line of the log.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { VoiceError } from "@voice/shared/platform/errors";

const sameAgainAfterMs = 10_000;

export class Refusals {
  readonly #clock: Clock;
  /** When each was told last. A reason names a code and a field, so there are few; of most services none. */
  #toldAtMs: Map<string, number> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isNews({ code, reason = "" }: VoiceError): boolean {
    const key = `${code} ${reason}`;
    const nowMs = this.#clock.now();
    const told = (this.#toldAtMs ??= new Map());
    const toldAtMs = told.get(key);
    if (toldAtMs !== undefined && nowMs - toldAtMs < sameAgainAfterMs) return false;
    told.set(key, nowMs);
    return true;
  }
}
