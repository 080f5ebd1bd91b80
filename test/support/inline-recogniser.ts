/** The local recogniser without its thread: it has heard each frame before the call returns. */
import { loadRecognitionEngine } from "@voice/local-voice/recogniser/recognition-engine";
import { compileFlite } from "@voice/local-voice/synthesiser/compile-flite";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";

export async function createInlineRecogniser(decoderCount: number): Promise<Recogniser> {
  const flite = await compileFlite();
  // The engine's module wants to decide what becomes of this process when something is not caught.
  const handlers = process.listeners("uncaughtException");
  const engine = await loadRecognitionEngine(flite, { warm: decoderCount, max: decoderCount });
  for (const handler of process.listeners("uncaughtException"))
    if (!handlers.includes(handler)) process.removeListener("uncaughtException", handler);

  return {
    async open({ sampleRateHz, segmentationSilenceMs, longestPauseMs, hints, language }, events) {
      const stream = engine.open({
        sampleRateHz,
        segmentationSilenceMs,
        longestPauseMs,
        hints,
        onPartial: (partial) => events.onPartial({ ...partial, language }),
        onFinal: (final) => events.onFinal({ ...final, language }),
      });
      let isOpen = true;
      return {
        write: (samples) => {
          if (isOpen) stream.write(samples.slice());
        },
        flush: () => {
          if (isOpen) stream.flush();
        },
        setHints(next) {
          engine.expect(stream, next);
          return true;
        },
        close() {
          if (!isOpen) return;
          isOpen = false;
          stream.close();
        },
      };
    },
    pool: () => emptyPool,
    close: () => Promise.resolve(),
  };
}
