/**
 * The caller's speech in one segment, for a recogniser of whole utterances: without the silence around it, because Moonshine often takes
 * more than half a second of digital silence before the first word for the end (a third of the utterances had no text, with 0.2 s none).
 */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";

export interface UtteredSpeech {
  /** PCM16 at the decoder's rate. */
  readonly samples: Int16Array;
  readonly startMs: number;
  /** When the last of these words ended: in a pause, the `endMs` that the final will have if nothing follows. */
  readonly untilMs: number;
  /** The caller has paused, and may have finished. Else they are speaking. */
  readonly isPaused: boolean;
}

const silenceAfterMs = 200;
/** The words so far cost as much to recognise as all of them; at half this distance, partials cost nine times as much as the final. */
const partialEveryMs = 1_000;

export class Utterance {
  readonly #startMs: number;
  readonly #frames: Int16Array[];
  readonly #onSpeech: (speech: UtteredSpeech) => void;
  /** For which end of speech the samples were given last. */
  #givenUntilMs = 0;

  /** `frames`: those received by now, with the pre-roll. */
  constructor(startMs: number, frames: readonly Int16Array[], onSpeech: (speech: UtteredSpeech) => void) {
    this.#startMs = startMs;
    this.#frames = [...frames];
    this.#onSpeech = onSpeech;
    this.#givenUntilMs = startMs;
  }

  hear(frame: Int16Array): void {
    this.#frames.push(frame);
  }

  /** The caller is speaking: gives the words so far from time to time. */
  goOn(nowMs: number): void {
    if (nowMs - this.#givenUntilMs >= partialEveryMs) this.#give(nowMs, nowMs, false);
  }

  /** The caller has paused, or the segment has ended. Gives the same words once. */
  pause(untilMs: number, nowMs: number): void {
    if (untilMs !== this.#givenUntilMs) this.#give(untilMs, nowMs, true);
  }

  #give(untilMs: number, nowMs: number, isPaused: boolean): void {
    this.#givenUntilMs = untilMs;
    const excess = Math.max(0, Math.floor((nowMs - untilMs - silenceAfterMs) / vadFrameMs));
    const samples = joinSamples(this.#frames.slice(0, this.#frames.length - excess));
    this.#onSpeech({ samples, startMs: this.#startMs, untilMs, isPaused });
  }
}
