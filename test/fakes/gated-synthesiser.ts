/** Hums word after word like the tone synthesiser, but no further than the test lets it. Called off, it stops at once. */
import { tone } from "@voice/local/emulators/tone-synthesiser";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type { SynthesisEvents, SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";

const wordMs = 200;
const gapMs = 50;

export class GatedSynthesiser implements Synthesiser {
  #allowedWords = Number.POSITIVE_INFINITY;
  /** Says as much as is allowed of what is being said; undefined while nobody speaks. */
  #goOn: (() => void) | undefined;

  /** From the next request on. */
  stopAfter(words: number): void {
    this.#allowedWords = words;
  }

  /** Within this call, so that the audio is on its way before anything else can happen. */
  sayMore(words: number): void {
    this.#allowedWords += words;
    this.#goOn?.();
  }

  synthesise({ text, sampleRateHz }: SynthesisRequest, events: SynthesisEvents, signal: AbortSignal): Promise<void> {
    const words = [...text.matchAll(/\S+/g)];
    let next = 0;
    return new Promise<void>((resolve, reject) => {
      signal.throwIfAborted();
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#goOn = () => {
        for (; this.#allowedWords > 0 && next < words.length; next++, this.#allowedWords--) {
          const { index, 0: word } = words[next] ?? { index: 0, 0: "" };
          const startMs = next * (wordMs + gapMs);
          events.onWord({ textOffset: index, textLength: word.length, startMs, endMs: startMs + wordMs });
          events.onAudio(tone(sampleRateHz));
        }
        if (next === words.length) resolve();
      };
      this.#goOn();
    }).finally(() => {
      this.#goOn = undefined;
    });
  }

  pool() {
    return emptyPool;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
