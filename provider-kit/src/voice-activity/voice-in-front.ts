/**
 * Distinguishes the caller from a television or people across the room, who continue to talk when the caller has finished. A speech
 * detector takes them for more of the same turn, which would never end. A caller's own voice becomes quieter too, but for no longer than a
 * syllable or two. Pure, on the frame path, from each frame's level.
 */
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";

/** 200 ms, a syllable: the loudness of a voice is that of its loudest syllable, and a click is shorter. */
const syllableFrames = 200 / vadFrameMs;
/** 18 dB. A television 25 dB softer than the caller is, at its loudest, 20 dB below the caller's loudest syllable. */
const softerBy = 10 ** (18 / 20);
/** 60 ms is a vowel; single frames of any voice stand out by several dB. */
const sustainedFrames = 60 / vadFrameMs;
/** 500 ms of softer speech without one loud moment is another voice. */
const provenFrames = 500 / vadFrameMs;
/**
 * A background voice that was detected in the last 20 s needs no proof: otherwise its first words after the caller's would cut off the
 * answer.
 */
const rememberedFrames = 20_000 / vadFrameMs;
/**
 * 10 dB in 20 s: if somebody speaks softly after a loud voice (the telephone was handed over, or put down), they are soon recognised as the
 * caller.
 */
const fading = 10 ** ((-0.5 * vadFrameMs) / 1000 / 20);

export class VoiceInFront {
  #syllable = 0;
  #loudest = 0;
  #loudFrames = 0;
  #softFrames = 0;
  /** Frames since a voice in the background was detected. */
  #framesSince = Number.POSITIVE_INFINITY;

  /** Whether the frame contains speech that is not from the background. `level`: its root mean square, 0 to 1. */
  isHeard(level: number, isSpeech: boolean): boolean {
    this.#syllable += ((isSpeech ? level : 0) - this.#syllable) / syllableFrames;
    this.#loudest = Math.max(this.#loudest * fading, this.#syllable);
    this.#loudFrames = level * softerBy >= this.#loudest ? this.#loudFrames + 1 : 0;
    this.#framesSince += 1;
    if (!isSpeech) return false;
    this.#softFrames = this.#loudFrames >= sustainedFrames ? 0 : this.#softFrames + 1;
    if (this.#loudFrames === 0 && this.#softFrames >= provenFrames) this.#framesSince = 0;
    return this.#softFrames < (this.#framesSince < rememberedFrames ? sustainedFrames : provenFrames);
  }
}
