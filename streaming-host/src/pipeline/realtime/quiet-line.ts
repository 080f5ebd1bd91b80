/**
 * Tells when a caller's audio may wait a little on its way to a realtime model. Callers are quiet most of the time, and fifty messages
 * a second to a service that hears nothing in them are the largest part of what such a call costs. While somebody
 * speaks, and until the model has taken its decision about it, nothing waits (decision 030).
 */

/** -50 dBFS: above the noise of a good line and of a microphone in a quiet room, below all but the ends of words. */
const quietLevel = 0.003;
/** Longer than pauses between words, and than the silence after which services decide by themselves (500 to 700 ms). */
const quietAfterMs = 1000;

export class QuietLine {
  #quietMs = 0;

  /** Takes the level of the next frame (0 to 1) and how long it is. True if nobody has spoken for a while. */
  isQuiet(level: number, frameMs: number): boolean {
    this.#quietMs = level < quietLevel ? this.#quietMs + frameMs : 0;
    return this.#quietMs >= quietAfterMs;
  }

  /** The model knows what the caller has said, so it waits for no more silence. */
  understood(): void {
    this.#quietMs = quietAfterMs;
  }
}
