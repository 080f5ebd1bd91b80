/** Decoders that hear what a test says that they hear. */
import type { SecondOpinionDecoders } from "./attempt.ts";
import type { SpeechDecoder } from "./decoder.ts";
import type { Grammar } from "./grammar.ts";

const frameSamples = 160;

/** `fits`: by how much words fit better than mere sounds, for each 10 ms. Of those that a grammar can say, the best is heard. */
export function fakeDecoders(fits: Readonly<Record<string, number>>): SecondOpinionDecoders {
  return { words: fakeDecoder(fits), sounds: fakeDecoder({ "": 0 }) };
}

function fakeDecoder(fits: Readonly<Record<string, number>>): SpeechDecoder {
  let grammar: Grammar | undefined;
  let samples = 0;
  const best = (): readonly [text: string, fit: number] => {
    const canSay = (text: string): boolean =>
      text.split(" ").every((word) => word === "" || grammar?.vocabulary.has(word) === true);
    const [first = ["", 0] as const] = Object.entries(fits)
      .filter(([text]) => canSay(text))
      .toSorted(([, one], [, other]) => other - one);
    return first;
  };
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
    end: () => best()[0],
    score: () => (best()[1] * samples) / frameSamples,
  };
}
