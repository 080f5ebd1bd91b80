/** Reports how much speech was synthesised. It wraps the vendor directly, below every cache of finished audio. */
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";

export function countedSynthesiser(synthesiser: Synthesiser): Synthesiser {
  return {
    async synthesise(request, events, signal) {
      const { onMade, text, sampleRateHz } = request;
      if (onMade === undefined) return synthesiser.synthesise(request, events, signal);
      let samples = 0;
      let model: string | undefined;
      const onStandIn = (name: string): void => {
        model = name;
      };
      const counting = {
        onAudio(chunk: Int16Array) {
          samples += chunk.length;
          events.onAudio(chunk);
        },
        onWord: events.onWord.bind(events),
      };
      try {
        await synthesiser.synthesise({ ...request, onStandIn }, counting, signal);
      } finally {
        // A cancelled synthesis is charged for; a request that failed before any audio is not.
        if (samples > 0) onMade({ characters: text.length, audioSeconds: samples / sampleRateHz, model });
      }
    },
    pool: () => synthesiser.pool(),
    close: () => synthesiser.close(),
  };
}
