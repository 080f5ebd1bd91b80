/**
 * Where the caller's newest word may have ended, by loudness. It is for services that do not say how long a silence they have waited for
 * (`semantic_vad` waits up to 8 s): without it, that silence would not count as waiting.
 */

/** -50 dBFS: below all but the ends of words. */
const quietLevel = 0.003;
/** Speech on a noisy line is 20 dB above its noise, or nobody would understand it. */
const belowSpeech = 0.1;
/** What remains of the loudest level after each 20 ms: half of it after three seconds, so that a cough does not hide what follows. */
const fading = 0.9954;

export class VoiceEnd {
  #loudest = 0;
  #untilMs: number | undefined;

  get untilMs(): number | undefined {
    return this.#untilMs;
  }

  /** Takes the level of the next frame (0 to 1) and the position of its end. */
  hear(level: number, endMs: number): void {
    this.#loudest = Math.max(level, this.#loudest * fading);
    if (level >= Math.max(quietLevel, this.#loudest * belowSpeech)) this.#untilMs = endMs;
  }

  reset(): void {
    this.#untilMs = undefined;
  }
}
