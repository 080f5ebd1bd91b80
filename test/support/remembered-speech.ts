/** A voice that does not speak the same words twice: agents of all conversations greet in the same way, and a worker holds dozens. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import type { SpokenWord, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { KnownSpeech } from "./known-speech.ts";

/** In the order in which they were delivered: words and audio. */
type Delivery = SpokenWord | Int16Array;

/**
 * For a synthesiser that makes the same of the same request, as the local one does. What was cancelled is not kept. `known`: what has
 * been spoken is to be recognised.
 */
export function rememberSpeech(voice: Synthesiser, known?: KnownSpeech): Synthesiser {
  const kept = new Map<string, readonly Delivery[]>();
  return {
    async synthesise(request, events, signal) {
      signal.throwIfAborted();
      const { text, language, sampleRateHz } = request;
      const key = JSON.stringify([text, request.voice, language, sampleRateHz]);
      const before = kept.get(key);
      if (before === undefined) {
        const delivered: Delivery[] = [];
        const both = {
          onWord(word: SpokenWord) {
            delivered.push(word);
            events.onWord(word);
          },
          onAudio(samples: Int16Array) {
            delivered.push(samples.slice()); // the receiver owns its own
            events.onAudio(samples);
          },
        };
        await voice.synthesise(request, both, signal);
        kept.set(key, delivered);
        const isAudio = (delivery: Delivery): delivery is Int16Array => delivery instanceof Int16Array;
        known?.add({
          text,
          words: delivered.filter((delivery): delivery is SpokenWord => !isAudio(delivery)),
          samples: joinSamples(delivered.filter(isAudio)),
          sampleRateHz,
        });
        return;
      }
      await nextTurn();
      for (const delivery of before) {
        signal.throwIfAborted();
        if (delivery instanceof Int16Array) events.onAudio(delivery.slice());
        else events.onWord(delivery);
      }
      signal.throwIfAborted();
    },
    pool: () => voice.pool(),
    close: () => voice.close(),
  };
}
