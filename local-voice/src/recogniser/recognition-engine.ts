/** Everything in one thread that recognises speech: decoders, the second opinion, voice activity detection and compiled grammars. */
import type { RecognitionHints, SentenceState } from "@voice/provider-kit/ports/recogniser";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import type { JudgeSpeech } from "@voice/provider-kit/voice-activity/speech-model";
import type { CompiledProgram } from "../synthesiser/compiled-program.ts";
import { WasiProgram } from "../synthesiser/wasi-program.ts";
import { loadDecoderFactory } from "./decoder.ts";
import { createDecoderPool } from "./decoder-pool.ts";
import type { DecoderPool } from "./decoder-pool.ts";
import type { Grammar } from "./grammar.ts";
import type { CreateNoiseSuppressor } from "./noise-suppressor.ts";
import { RecognisedStream } from "./recognised-stream.ts";
import type { RecognisedStreamOptions } from "./recognised-stream.ts";
import { createSecondOpinion } from "./second-opinion.ts";
import type { SecondOpinion } from "./second-opinion.ts";
import { RecentlyUsed } from "@voice/shared/platform/recently-used";
import { buildGrammar } from "./grammar.ts";
import { createSentenceGraph } from "./sentence-graph.ts";
import type { SentenceGraph } from "./sentence-graph.ts";

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

/** Flite has the recogniser's phone set, in lower case, except for the schwa. */
const renamed: Readonly<Record<string, string>> = { ax: "AH" };

/**
 * A word that is not in the dictionary (a name of a company, a product or a person) by Flite's letter-to-sound rules, in the recogniser's
 * phones, or undefined if it cannot be pronounced. 2 ms, once Flite is loaded: `kal` is the fastest voice to
 * start.
 */
function pronounce(flite: WasiProgram, word: string): string | undefined {
  const { exitCode, stdout } = flite.run(["flite", "-voice", "kal", "-ps", "-t", word, "-o", "none"]);
  if (exitCode !== 0) return undefined;
  const phones = stdout
    .trim()
    .split(/\s+/)
    .filter((phone) => phone !== "" && phone !== "pau")
    .map((phone) => renamed[phone] ?? phone.toUpperCase());
  return phones.length === 0 ? undefined : phones.join(" ");
}

/**
 * An agent of the built-in catalog takes 200,000 for each kind of answer that it awaits; the largest that a client may define takes
 * 700,000, and 5 MB of memory.
 */
const maxGrammarCharacters = 10_000_000;

/** The grammars of recent hints, so that a handoff back to an earlier agent costs nothing. */
class GrammarCache {
  readonly #grammars = new RecentlyUsed<Grammar>(maxGrammarCharacters);
  /** Sentence graphs are evicted together with their grammar. */
  readonly #graphs = new WeakMap<Grammar, SentenceGraph>();

  grammarFor(hints: RecognitionHints): Grammar {
    // An awaited greeting does not change the grammar, only the interpretation of a number.
    const awaits = hints.awaits?.type === "digits" ? hints.awaits : undefined;
    const key = JSON.stringify([hints.examples, hints.phrases, awaits]);
    const known = this.#grammars.get(key);
    if (known !== undefined) return known;
    const grammar = buildGrammar(hints);
    this.#graphs.set(grammar, createSentenceGraph(hints));
    this.#grammars.set(key, grammar, key.length + grammar.fsg.length);
    return grammar;
  }

  /** How a text relates to the sentences from which the grammar was built. */
  sentenceState(grammar: Grammar, text: string): SentenceState | undefined {
    return this.#graphs.get(grammar)?.stateOf(text);
  }
}
