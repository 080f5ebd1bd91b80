/** Everything in one thread that recognises speech: decoders, the second opinion, voice activity detection and compiled grammars. */
import type { RecognitionHints } from "@voice/provider-kit/ports/recogniser";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import type { JudgeSpeech } from "@voice/provider-kit/voice-activity/speech-model";
import type { CompiledProgram } from "../synthesiser/compiled-program.ts";
import { WasiProgram } from "../synthesiser/wasi-program.ts";
import { loadDecoderFactory } from "./decoder.ts";
import { createDecoderPool } from "./decoder-pool.ts";
import type { DecoderPool } from "./decoder-pool.ts";
import type { Grammar } from "./grammar.ts";
import { GrammarCache } from "./grammar-cache.ts";
import type { CreateNoiseSuppressor } from "./noise-suppressor.ts";
import { pronounce } from "./pronunciation.ts";
import { RecognisedStream } from "./recognised-stream.ts";
import type { RecognisedStreamOptions } from "./recognised-stream.ts";
import { createSecondOpinion } from "./second-opinion.ts";
import type { SecondOpinion } from "./second-opinion.ts";

export interface StreamToOpen extends Pick<
  RecognisedStreamOptions,
  "sampleRateHz" | "segmentationSilenceMs" | "longestPauseMs" | "onSpeech" | "onPartial" | "onFinal"
> {
  readonly hints: RecognitionHints;
}

export interface RecognitionEngine {
  open(stream: StreamToOpen): RecognisedStream;
  grammarFor(hints: RecognitionHints): Grammar;
  /** Sets what the stream's next segment may be. */
  expect(stream: RecognisedStream, hints: RecognitionHints): void;
  /**
   * Loads the grammar into a decoder, so that a stream's first word need not wait for it. Decoders with grammars in `inUse` are not
   * changed.
   */
  prepare(grammar: Grammar, inUse: ReadonlySet<Grammar>): Promise<void>;
}

/** What a host may do without, or cannot have. */
export interface RecognitionExtras {
  readonly judgeSpeech?: JudgeSpeech | undefined;
  readonly suppressNoise?: CreateNoiseSuppressor | undefined;
}

/** The engine's module takes over `uncaughtException`, and blocks the thread while it works. */
export async function loadRecognitionEngine(
  compiledFlite: CompiledProgram,
  decoderCount: { readonly warm: number; readonly max: number },
  { judgeSpeech, suppressNoise }: RecognitionExtras = {},
): Promise<RecognitionEngine> {
  const createDetector = await loadVoiceActivity(judgeSpeech);
  const flite = new WasiProgram(compiledFlite);
  const factory = await loadDecoderFactory((word) => pronounce(flite, word));
  const decoders = await createDecoderPool(factory, decoderCount);
  const secondOpinion = createSecondOpinion({
    words: await factory.create({ hearsAccents: true }),
    sounds: await factory.create(),
  });
  return createRecognitionEngine({ createDetector, decoders, secondOpinion, suppressNoise });
}

export function createRecognitionEngine({
  createDetector,
  decoders,
  secondOpinion,
  suppressNoise,
}: {
  readonly createDetector: CreateVoiceActivityDetector;
  readonly decoders: DecoderPool;
  readonly secondOpinion: SecondOpinion;
  readonly suppressNoise?: CreateNoiseSuppressor | undefined;
}): RecognitionEngine {
  const grammars = new GrammarCache();
  return {
    open: ({ hints, ...stream }) =>
      new RecognisedStream({
        ...stream,
        decoders,
        secondOpinion,
        createDetector,
        suppressNoise,
        grammar: grammars.grammarFor(hints),
        awaits: hints.awaits,
        sentenceState: (grammar, text) => grammars.sentenceState(grammar, text),
      }),
    grammarFor: (hints) => grammars.grammarFor(hints),
    expect(stream, hints) {
      stream.grammar = grammars.grammarFor(hints);
      stream.awaits = hints.awaits;
    },
    prepare: (grammar, inUse) => decoders.prepare(grammar, inUse),
  };
}
