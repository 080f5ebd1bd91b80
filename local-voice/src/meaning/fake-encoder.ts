/** An encoder for tests, to which words that are named together mean the same. */
import type { SentenceEncoder } from "./sentence-encoder.ts";

export interface FakeEncoder extends SentenceEncoder {
  /** The sentences that it was given, one array each time. */
  readonly asked: readonly (readonly string[])[];
  isBroken: boolean;
}

export function fakeEncoder(...meanings: readonly (readonly string[])[]): FakeEncoder {
  const asked: (readonly string[])[] = [];
  const encoder: FakeEncoder = {
    asked,
    isBroken: false,
    encode(sentences) {
      asked.push(sentences);
      return Promise.resolve(encoder.isBroken ? undefined : sentences.map(vectorOf));
    },
    close: () => Promise.resolve(),
  };
  const vectorOf = (sentence: string): Float32Array<ArrayBuffer> => {
    const words = sentence.split(" ");
    const shares = meanings.map((meaning) => Number(words.some((word) => meaning.includes(word))));
    const isOfNone = shares.every((share) => share === 0);
    const length = isOfNone ? 1 : Math.hypot(...shares);
    return Float32Array.from([...shares.map((share) => share / length), Number(isOfNone)]);
  };
  return encoder;
}
