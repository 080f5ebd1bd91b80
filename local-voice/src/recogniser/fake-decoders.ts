/** Decoders that recognise what a test specifies. */
import type { SecondOpinionDecoders } from "./attempt.ts";
import type { SpeechDecoder } from "./decoder.ts";
import type { Grammar } from "./grammar.ts";

const frameSamples = 160;

interface Heard {
  readonly text: string;
  /** For each 10 ms. */
  readonly score: number;
}

/** `fits`: how much better words fit than mere phones, for each 10 ms. Of the words that a grammar accepts, the best are recognised. */
export function fakeDecoders(fits: Readonly<Record<string, number>>): SecondOpinionDecoders {
  return {
    words: fakeDecoder((grammar) => bestOf(fits, grammar)),
    sounds: fakeDecoder(() => ({ text: "", score: 0 })),
  };
}

function bestOf(fits: Readonly<Record<string, number>>, grammar: Grammar | undefined): Heard {
  const canSay = (text: string): boolean =>
    text.split(" ").every((word) => word === "" || grammar?.vocabulary.has(word) === true);
  const [[text, score] = ["", 0] as const] = Object.entries(fits)
    .filter(([words]) => canSay(words))
    .toSorted(([, one], [, other]) => other - one);
  return { text, score };
}

/** What it recognises depends only on its grammar. */
export function fakeDecoder(hear: (grammar: Grammar | undefined) => Heard): SpeechDecoder {
  let grammar: Grammar | undefined;
  let samples = 0;
  return {
    get grammar() {
      return grammar;
    },
    setGrammar: (next) => void (grammar = next),
    forget: () => undefined,
    begin: () => undefined,
    hear: () => undefined,
    hearWhole: (whole) => void (samples = whole.length),
    partialText: () => "",
    end: () => hear(grammar).text,
    score: () => (hear(grammar).score * samples) / frameSamples,
  };
}
