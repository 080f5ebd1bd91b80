/**
 * Distinguishes the voice at the telephone from those behind it. A television, or the guests of a restaurant, talk without a pause without
 * being a machine's greeting. A greeting has one loudness, and whoever holds the telephone is louder than anybody else on the line.
 */

/** 10 frames, 200 ms: a syllable, and longer than the click with which a telephone is picked up. */
const syllableFrames = 10;
/** 12 dB. Syllables of one voice differ by less; a television across the room is 15 to 25 dB softer than a mouth at the telephone. */
const softerBy = 10 ** (12 / 20);

export class LoudestVoice {
  #syllable = 0;
  #loudest = 0;

  /** Whether the newest 20 ms belong to the loudest voice so far. `level`: their root mean square, 0 to 1. */
  isHeard(level: number, isSpeech: boolean): boolean {
    this.#syllable += ((isSpeech ? level : 0) - this.#syllable) / syllableFrames;
    this.#loudest = Math.max(this.#loudest, this.#syllable);
    return isSpeech && level * softerBy >= this.#loudest;
  }
}
