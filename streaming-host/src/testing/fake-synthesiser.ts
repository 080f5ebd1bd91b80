/** A synthesiser whose speech lasts 50 ms a character and whose words are timed accordingly. */
import type { Clock } from "@voice/shared/platform/clock";
import type { SynthesisEvents, SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";

export const msPerCharacter = 50;

export class FakeSynthesiser implements Synthesiser {
  readonly requests: SynthesisRequest[] = [];
  readonly aborted: string[] = [];
  /** The delay before the first audio of each request. */
  delayMs = 0;
  /** No audio comes for this text. */
  hangsOn: string | undefined;
  timesWords = true;
  failure: Error | undefined;
  readonly #clock: Clock;
  readonly #msPerCharacter: number;

  constructor(clock: Clock, ms = msPerCharacter) {
    this.#clock = clock;
    this.#msPerCharacter = ms;
  }

  async synthesise(request: SynthesisRequest, events: SynthesisEvents, signal: AbortSignal): Promise<void> {
    this.requests.push(request);
    signal.addEventListener("abort", () => this.aborted.push(request.text), { once: true });
    if (this.failure !== undefined) throw this.failure;
    if (this.delayMs > 0)
      await new Promise<void>((resolve) => {
        this.#clock.setTimer(this.delayMs, resolve);
      });
    if (request.text === this.hangsOn) await new Promise((_, reject) => signal.addEventListener("abort", reject));
    signal.throwIfAborted();
    const samplesPerCharacter = (request.sampleRateHz * this.#msPerCharacter) / 1000;
    events.onAudio(new Int16Array(request.text.length * samplesPerCharacter).fill(1000));
    if (!this.timesWords) return;
    for (const word of request.text.matchAll(/\S+/g)) {
      const end = word.index + word[0].length;
      events.onWord({
        textOffset: word.index,
        textLength: word[0].length,
        startMs: word.index * this.#msPerCharacter,
        endMs: end * this.#msPerCharacter,
      });
    }
  }

  pool() {
    return emptyPool;
  }

  async close(): Promise<void> {
    this.requests.length = 0;
  }
}
