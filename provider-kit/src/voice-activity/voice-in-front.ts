/**
 * Distinguishes the caller from a television or people across the room, who go on talking when the caller has finished: to a detector of
 * speech they are more of the same turn, which would never end. A caller's own voice fades, too, but for no longer than a syllable or
 * two. Pure, on the frame path, from each frame's level.
 */
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";

/** 200 ms, a syllable: the loudness of a voice is that of its loudest syllable, and a click has none. */
const syllableFrames = 200 / vadFrameMs;
/** 18 dB. A television 25 dB softer than the caller is 20 dB below the caller's loudest syllable where it is loudest itself. */
const softerBy = 10 ** (18 / 20);
/** 60 ms are a vowel; single frames of any voice stand out by several dB. */
const sustainedFrames = 60 / vadFrameMs;
/** 500 ms of softer speech, without one loud moment, are another voice. */
const provenFrames = 500 / vadFrameMs;
/** As long as it has been heard in the last 20 s, it needs no proof: its first words after the caller's would cut the answer off. */
const rememberedFrames = 20_000 / vadFrameMs;
/** 10 dB in 20 s: whoever speaks softly after somebody loud (the telephone was handed over, or put down) is heard soon. */
const fading = 10 ** ((-0.5 * vadFrameMs) / 1000 / 20);

export class VoiceInFront {
  #syllable = 0;
  #loudest = 0;
  #loudFrames = 0;
  #softFrames = 0;
  /** Since somebody behind the caller was heard. */
  #framesSince = Number.POSITIVE_INFINITY;

  /** Whether somebody speaks in this frame who is not behind the caller. `level`: its root mean square, 0 to 1. */
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
