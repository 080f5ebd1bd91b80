const FRAME_MS = 20;
/** Sent ahead of the playing, as the real service does. */
const LEAD_MS = 100;
const TONE_HZ = 440;
const AMPLITUDE = 6000;

/** Plays a tone frame by frame in real time, a little ahead, and can be stopped in the middle. */
export class PacedTone {
  readonly #sampleRateHz: number;
  readonly #onFrame: (samples: Int16Array) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(sampleRateHz: number, onFrame: (samples: Int16Array) => void) {
    this.#sampleRateHz = sampleRateHz;
    this.#onFrame = onFrame;
  }

  get isPlaying(): boolean {
    return this.#timer !== undefined;
  }

  play(durationMs: number, onFinished: () => void): void {
    this.stop();
    const startMs = performance.now();
    let sentMs = 0;
    this.#timer = setInterval(() => {
      const elapsedMs = performance.now() - startMs;
      for (; sentMs < Math.min(durationMs, elapsedMs + LEAD_MS); sentMs += FRAME_MS) this.#onFrame(this.#frame(sentMs));
      if (elapsedMs < durationMs) return;
      this.stop();
      onFinished();
    }, FRAME_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #frame(fromMs: number): Int16Array {
    const from = (fromMs * this.#sampleRateHz) / 1000;
    const radiansPerSample = (2 * Math.PI * TONE_HZ) / this.#sampleRateHz;
    return Int16Array.from({ length: (this.#sampleRateHz * FRAME_MS) / 1000 }, (_, index) =>
      Math.round(AMPLITUDE * Math.sin((from + index) * radiansPerSample)),
    );
  }
}
