/**
 * What callers say while hosts are killed: a voice for the detector of speech, with marks in its first and last frame by which a
 * recogniser tells the words. Recognising them costs nothing, and half a sentence is heard as half a sentence.
 */
import { markSign } from "../../bench/instant-providers.ts";

export const sentences = ["tell me a story", "please book a table"] as const;
export type Sentence = (typeof sentences)[number];

const firstMark = 20_001;

export interface Mark {
  readonly sentence: Sentence;
  readonly place: "begins" | "ends";
}

const marks = new Map(
  sentences.flatMap((sentence, at): [number, Mark][] => [
    [firstMark + 2 * at, { sentence, place: "begins" }],
    [firstMark + 2 * at + 1, { sentence, place: "ends" }],
  ]),
);

export function readMark(frame: Int16Array): Mark | undefined {
  const [mark = 0, second] = frame;
  return second === markSign ? marks.get(mark) : undefined;
}

/** A whole number of frames, so that the marks are where frames begin. */
export function markSpeech(voice: Int16Array, sentence: Sentence, frameSamples: number): Int16Array {
  const marked = new Int16Array(Math.ceil(voice.length / frameSamples) * frameSamples);
  marked.set(voice);
  for (const [mark, meaning] of marks)
    if (meaning.sentence === sentence)
      marked.set([mark, markSign], meaning.place === "begins" ? 0 : marked.length - frameSamples);
  return marked;
}
