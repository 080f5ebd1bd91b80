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
    const length = Math.hypot(...shares) || 1;
    return Float32Array.from([
      ...shares.map((share) => share / length),
      length === 1 && shares.every((one) => one === 0) ? 1 : 0,
    ]);
  };
  return encoder;
}
