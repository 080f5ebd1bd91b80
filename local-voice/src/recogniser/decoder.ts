/**
 * One soundswallower decoder, which decodes one utterance at a time with one grammar. It takes 15 MB and 80 ms to
 * load, so decoders are reused; nothing but the grammar and the dictionary carries over to the next utterance.
 */
import createModule from "soundswallower";
import type { Decoder, SoundSwallowerModule } from "soundswallower";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import { accentedPronunciations } from "./accents.ts";
import { readDictionary } from "./dictionary.ts";
import type { Dictionary } from "./dictionary.ts";
import { garbageWords, withoutGarbage } from "./grammar.ts";
import type { Grammar } from "./grammar.ts";
import type { DecoderAddress } from "./soundswallower-internals.d.ts";

export const decoderRateHz = 16_000;

export interface SpeechDecoder {
  /** The current grammar; callers compare it by identity. */
  readonly grammar: Grammar | undefined;
  /** 20 to 80 ms for a few dozen examples. Not during an utterance. */
  setGrammar(grammar: Grammar): void;
  /**
   * Resets what the engine has learnt about the line and the voice (the mean of its features), which otherwise carries over to the next
   * utterance. 0.5 ms. Not during an utterance.
   */
  forget(): void;
  begin(): void;
  hear(frame: Int16Array): void;
  /** Decodes a whole utterance at once, normalised by its own mean; nothing is learnt for the next one. */
  hearWhole(samples: Int16Array): void;
  /** The best hypothesis so far. */
  partialText(): string;
  /** Ends the utterance and returns its words; empty if nothing matched the grammar. */
  end(): string;
  /** How well the audio fits the words: the logarithm of the probability, which grows with the utterance's length. */
  score(): number;
}

export interface DecoderFactory {
  /** `hearsAccents`: other pronunciations are added, which makes the search take longer. */
  create(options?: { readonly hearsAccents?: boolean }): Promise<SpeechDecoder>;
}

/**
 * Initial values of the first three feature means: those with which the tuning voices of `bench:hearing` were
 * recognised best.
 */
const usualMean = "50,5,3";

/** The search beam: paths less likely than the best one by this factor are dropped. */
const searches = {
  live: { beam: 1e-48, pbeam: 1e-48, wbeam: 7e-29, fsgusefiller: 1 },
  thorough: { beam: 1e-70, pbeam: 1e-70, wbeam: 1e-50, fsgusefiller: 0 },
};

/** The engine prints this when the best path does not end in a final state of the grammar; it does not report this in any other way. */
const offGrammarMessage = "does not match the grammar";

export async function loadDecoderFactory(pronounce: (word: string) => string | undefined): Promise<DecoderFactory> {
  const modelBase = join(dirname(createRequire(import.meta.url).resolve("soundswallower")), "model/");
  const dictionary = await readDictionary(join(modelBase, "en-us/dict.txt"));
  const noises = await readFile(join(modelBase, "en-us/noisedict.txt"));
  let offGrammar = false;
  const module = await createModule({
    modelBase,
    print: () => undefined,
    printErr(line: string) {
      if (line.includes(offGrammarMessage)) offGrammar = true;
    },
  });

  class DecoderWithoutWords extends module.Decoder {
    /** Loads only noises and silence; `setGrammar` adds the words of a grammar. */
    override async init_dict(): Promise<void> {
      const added = withFile(module, noises, (file) => module._decoder_init_dict_s3file(this.cdecoder, 0, file));
      if (added === 0) throw new Error("the recogniser refuses its dictionary");
    }
  }

  return {
    async create({ hearsAccents = false } = {}) {
      const decoder = new DecoderWithoutWords({ samprate: decoderRateHz, loglevel: "ERROR" });
      await decoder.initialize();
      decoder.add_words(...garbageWords.map(([word, phone]): [string, string] => [word, phone]));
      const scoreAt = module._malloc(4);
      const accented = new Set<string>();
      let grammar: Grammar | undefined;
      let scratch = new Float32Array(320);

      return {
        get grammar() {
          return grammar;
        },
        setGrammar(next) {
          const missing = [...next.vocabulary].filter((word) => !isKnown(decoder, word));
          decoder.add_words(...missing.flatMap((word) => entriesOf(word, dictionary, pronounce)));
          if (hearsAccents) addAccents(decoder, next.vocabulary, accented);
          const search = next.isThorough === true ? searches.thorough : searches.live;
          for (const [name, value] of Object.entries(search)) decoder.set_config(name, value);
          if (next.hasPauses === true) decoder.set_config("fsgusefiller", 1);
          loadFsg(module, decoder, next.fsg);
          grammar = next;
        },
        begin: () => decoder.start(),
        forget() {
          decoder.set_config("cmninit", usualMean);
          const features = module._decoder_init_feat_s3file(decoderAddress(decoder), 0);
          const frontEnd = module._decoder_fe(decoderAddress(decoder));
          if (module._acmod_reinit_feat(decoder.cacmod, frontEnd, features) < 0)
            throw new Error("the recogniser refuses to begin anew");
        },
        hear(frame) {
          if (scratch.length !== frame.length) scratch = new Float32Array(frame.length);
          for (let index = 0; index < frame.length; index++) scratch[index] = (frame[index] ?? 0) / 32_768;
          decoder.process_audio(scratch);
        },
        hearWhole: (samples) =>
          void decoder.process_audio(
            Float32Array.from(samples, (sample) => sample / 32_768),
            false,
            true,
          ),
        partialText: () => withoutGarbage(decoder.get_text()),
        end() {
          offGrammar = false;
          decoder.stop();
          const hypothesis = decoder.get_text();
          return offGrammar ? "" : withoutGarbage(hypothesis);
        },
        score() {
          module._decoder_hyp(decoder.cdecoder, scoreAt);
          return new DataView(module.HEAPU8.buffer).getInt32(scoreAt, true);
        },
      };
    },
  };
}

function isKnown(decoder: Decoder, word: string): boolean {
  const pronunciation: string | null = decoder.lookup_word(word);
  return pronunciation !== null;
}

/** A word with several pronunciations has several entries: "either", "either(2)". */
function entriesOf(
  word: string,
  dictionary: Dictionary,
  pronounce: (word: string) => string | undefined,
): [name: string, pronunciation: string][] {
  const usual = dictionary.pronunciationsOf(word);
  // The engine rejects a whole grammar because of one word that it cannot pronounce. Mapped to noise, the word merely never matches.
  const ways = usual.length > 0 ? usual : [pronounce(word) ?? "+NSN+"];
  return ways.map((way, index) => [index === 0 ? word : `${word}(${index + 1})`, way]);
}

/** `done`: the words that already have their accents, or need none. */
function addAccents(decoder: Decoder, vocabulary: ReadonlySet<string>, done: Set<string>): void {
  for (const word of vocabulary) {
    if (done.has(word)) continue;
    done.add(word);
    const usual: string | null = decoder.lookup_word(word);
    for (const pronunciation of usual === null ? [] : accentedPronunciations(usual))
      decoder.add_words([freeVariant(decoder, word), pronunciation]);
  }
}

/** The dictionary numbers the pronunciations of a word: "either", "either(2)". */
function freeVariant(decoder: Decoder, word: string): string {
  for (let number = 2; ; number++) {
    const variant = `${word}(${number})`;
    if (!isKnown(decoder, variant)) return variant;
  }
}

/**
 * Writes the grammar directly into the engine's memory: the engine's own API would need a file and a new decoder (100 ms instead of 20 to
 * 80).
 */
function loadFsg(module: SoundSwallowerModule, decoder: Decoder, fsg: string): void {
  const result = withFile(module, Buffer.from(fsg, "latin1"), (file) =>
    module._decoder_init_grammar_s3file(decoderAddress(decoder), file, 0),
  );
  if (result < 0) throw new Error("the recogniser refuses its grammar");
}

function decoderAddress(decoder: Decoder): DecoderAddress {
  return decoder.cdecoder;
}

/** Passes a file from memory to the engine, which reads up to a zero byte. */
function withFile(module: SoundSwallowerModule, bytes: Buffer, read: (file: number) => number): number {
  const address = module._malloc(bytes.length + 1);
  module.HEAPU8.set(bytes, address);
  module.HEAPU8[address + bytes.length] = 0;
  const file = module._s3file_init(address, bytes.length);
  const result = read(file);
  module._s3file_free(file);
  module._free(address);
  return result;
}
