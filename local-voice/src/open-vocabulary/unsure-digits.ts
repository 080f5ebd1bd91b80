/**
 * Speech that may be digits of a code, and of which nothing was certain. If the caller goes on, it is heard again together with what
 * follows: a turn may have ended within the code, and a code is recognised best as a whole.
 */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { openRateHz } from "./open-rate.ts";

/** Speech that resumes after this long is another answer. */
const rejoinMs = 2_500;
/** 8 s: longer than anybody takes for a code of eight digits. */
const mostSamples = 8 * openRateHz;

interface Spoken {
  readonly samples: Int16Array;
  readonly startMs: number;
  readonly untilMs: number;
}

export class UnsureDigits {
  #spoken: Spoken | undefined;

  /** Undefined: what was said last was understood, or was no code. */
  remember(spoken: Spoken | undefined): void {
    this.#spoken = spoken;
  }

  /** Those samples with the ones of what is said next, if this belongs to it. */
  togetherWith({ samples, startMs }: Omit<Spoken, "untilMs">): Int16Array | undefined {
    const earlier = this.#spoken;
    if (earlier === undefined || startMs < earlier.untilMs || startMs - earlier.untilMs >= rejoinMs) return undefined;
    return earlier.samples.length + samples.length > mostSamples ? undefined : joinSamples([earlier.samples, samples]);
  }
}
