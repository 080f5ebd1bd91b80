/** The local recogniser without its thread: it has heard each frame before the call returns. */
import { createDecoderPool } from "@voice/local-voice/recogniser/decoder-pool";
import { loadDecoderFactory } from "@voice/local-voice/recogniser/decoder";
import { GrammarCache } from "@voice/local-voice/recogniser/grammar-cache";
import { pronounce } from "@voice/local-voice/recogniser/pronunciation";
import { createSecondOpinion } from "@voice/local-voice/recogniser/second-opinion";
import { RecognisedStream } from "@voice/local-voice/recogniser/recognised-stream";
import { compileFlite } from "@voice/local-voice/synthesiser/compile-flite";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";

export async function createInlineRecogniser(decoderCount: number): Promise<Recogniser> {
  const [flite, createDetector] = await Promise.all([compileFlite(), loadVoiceActivity()]);
  // The engine's module wants to decide what becomes of this process when something is not caught.
  const handlers = process.listeners("uncaughtException");
  const factory = await loadDecoderFactory((word) => pronounce(flite, word));
  for (const handler of process.listeners("uncaughtException"))
    if (!handlers.includes(handler)) process.removeListener("uncaughtException", handler);
  const decoders = await createDecoderPool(factory, { warm: decoderCount, max: decoderCount });
  const secondOpinion = createSecondOpinion(await factory.create({ hearsAccents: true }));
  const grammars = new GrammarCache();

  return {
    async open({ sampleRateHz, segmentationSilenceMs, longestPauseMs, hints, language }, events) {
      const stream = new RecognisedStream({
        sampleRateHz,
        segmentationSilenceMs,
        longestPauseMs,
        decoders,
        secondOpinion,
        createDetector,
        grammar: grammars.grammarFor(hints),
        sentenceState: (grammar, text) => grammars.sentenceState(grammar, text),
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
          stream.grammar = grammars.grammarFor(next);
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
