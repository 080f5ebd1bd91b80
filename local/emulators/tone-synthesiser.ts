/** A `Synthesiser` that hums for a fifth of a second per word: audible, measurable and deterministic. */
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { relativeChange } from "@voice/provider-kit/voices/sounds-like";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";

const wordMs = 200;
const gapMs = 50;
const toneHz = 220;
const amplitude = 8_000;

/** `followsRate`: words last as long as the requested speaking rate makes them; otherwise every word has the same length. */
export function createToneSynthesiser({ followsRate = false } = {}): Synthesiser {
  return {
    async synthesise({ text, voice, sampleRateHz }, events, signal) {
      let startMs = 0;
      const pace = followsRate ? relativeChange(voice.rate) : 1;
      const heardMs = wordMs / pace;
      const pauseMs = gapMs / pace;
      for (const { index, 0: word } of text.matchAll(/\S+/g)) {
        // Delivers one word at a time, as a real engine does; yielding to the event loop lets an abort take effect.
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        signal.throwIfAborted();
        events.onWord({ textOffset: index, textLength: word.length, startMs, endMs: startMs + heardMs });
        events.onAudio(tone(sampleRateHz, heardMs, pauseMs));
        startMs += heardMs + pauseMs;
      }
    },
    pool: () => emptyPool,
    close: () => Promise.resolve(),
  };
}

/** One word's tone, followed by a gap. */
export function tone(sampleRateHz: number, durationMs = wordMs, silenceMs = gapMs): Int16Array {
  const samples = new Int16Array(Math.round((sampleRateHz * (durationMs + silenceMs)) / 1000));
  const voiced = Math.round((sampleRateHz * durationMs) / 1000);
  for (let index = 0; index < voiced; index++) {
    samples[index] = Math.round(amplitude * Math.sin((2 * Math.PI * toneHz * index) / sampleRateHz));
  }
  return samples;
}
