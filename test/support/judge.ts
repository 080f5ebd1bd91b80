/**
 * Hears the agent's audio as a person would: a recogniser of its own, whose grammar knows what agents say and not what
 * callers say, so that a transcript in one direction can never be mistaken for one in the other.
 */
import type { Recogniser, RecognitionOptions } from "@voice/provider-kit/ports/recogniser";
import { judgesRecogniser } from "./speech-engines.ts";

const rateHz = 16_000;
const frameSamples = 320;
/** Seven seconds of speech take half a second, on a machine with nothing else to do. */
const openWithinMs = 25_000;
const ignored = { onPartial: () => undefined, onFinal: () => undefined, onError: () => undefined };

export interface Judge {
  /** The words that were recognised, lower case; empty when nothing was understood. */
  transcribe(audio: Int16Array): Promise<string>;
}

/** `recognise`: where the engine is not what is tested, one that remembers what was spoken. */
export function createJudge(sentences: readonly string[], recognise = judgesRecogniser): Judge {
  const options: RecognitionOptions = {
    sampleRateHz: rateHz,
    language: "en-US",
    candidateLanguages: [],
    segmentationSilenceMs: 400,
    hints: { examples: sentences, phrases: [] },
  };
  return {
    transcribe(audio) {
      const heard = lastHeard.then(async () => transcribe(await recognise(), audio, options));
      lastHeard = heard.catch(() => undefined);
      return heard;
    },
  };
}

/** All judges of a worker share one decoder, and hear one after the other. */
let lastHeard: Promise<unknown> = Promise.resolve();

async function transcribe(recogniser: Recogniser, audio: Int16Array, options: RecognitionOptions): Promise<string> {
  const finals: string[] = [];
  const failures: Error[] = [];
  const stream = await recogniser.open(
    options,
    {
      onPartial: () => undefined,
      onFinal: ({ text }) => finals.push(text),
      onError: (error) => failures.push(error),
    },
    AbortSignal.timeout(openWithinMs),
  );
  const silence = new Int16Array(rateHz);
  for (const part of [silence, audio, silence])
    for (let at = 0; at < part.length; at += frameSamples) stream.write(part.subarray(at, at + frameSamples));
  stream.flush();
  // The recogniser's one thread does things in order: when this stream is open, the other's audio has been heard.
  const next = await recogniser.open(options, ignored, AbortSignal.timeout(openWithinMs));
  next.close();
  stream.close();
  if (failures[0] !== undefined) throw failures[0];
  return finals.filter((text) => text !== "").join(" ");
}

/** Only what is audible: words, lower case, without punctuation. */
function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z' ]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Share of words that are wrong, missing or too many. */
export function wordErrorRate(said: string, heard: string): number {
  const expected = wordsOf(said).split(" ");
  const actual = wordsOf(heard).split(" ");
  let row = actual.map((_word, index) => index + 1);
  row.unshift(0);
  for (const [index, word] of expected.entries()) {
    const next = [index + 1];
    for (const [at, other] of actual.entries())
      next.push(Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + (word === other ? 0 : 1)));
    row = next;
  }
  return (row.at(-1) ?? 0) / expected.length;
}
