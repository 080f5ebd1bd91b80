/** What stands in for the decoders of the local recogniser keeps the same contract, with speech of the real synthesiser. */
import { setImmediate as delivered } from "node:timers/promises";
import { decodeMulaw, encodeMulaw } from "@voice/provider-kit/audio/mulaw";
import { resampleAll } from "@voice/provider-kit/audio/resample";
import { heard, listen, play, recogniserContract, silence } from "@voice/provider-kit/contracts/recogniser.contract";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { speakText } from "../../local/person/line-audio.ts";
import { KnownSpeech } from "../support/known-speech.ts";
import { rememberSpeech } from "../support/remembered-speech.ts";
import { createRememberingRecogniser } from "../support/remembering-recogniser.ts";

const balance = "I want to check my balance";
const account = "I want to open an account";
const short = ["yes", "six", "see you later"];
const hints = { examples: [balance, account, ...short], phrases: [] };
const known = new KnownSpeech();
let stranger: Synthesiser;
let voice: Synthesiser;

beforeAll(async () => {
  stranger = await createLocalSynthesiser();
  voice = rememberSpeech(stranger, { known });
});
afterAll(() => stranger.close());

const speak = (text: string, from = voice, sampleRateHz = 16_000): Promise<Int16Array> =>
  speakText(from, { text, voice: "slt", sampleRateHz });

async function textsOf(samples: Int16Array, sampleRateHz = 16_000): Promise<string[]> {
  const recogniser = await createRememberingRecogniser(known);
  const { stream, finals } = await listen(recogniser, { hints, sampleRateHz });
  play(stream, samples, sampleRateHz);
  play(stream, silence(700, sampleRateHz), sampleRateHz);
  stream.flush();
  await delivered();
  stream.close();
  await recogniser.close();
  return finals.map(({ text }) => text);
}

recogniserContract({
  name: "remembering",
  create: () => createRememberingRecogniser(known),
  speak: (text) => speak(text),
  sentences: [balance, "my card was stolen"],
});

describe("a recogniser that remembers", () => {
  it("knows a line at every rate, wherever it begins within a frame, and over a telephone", async () => {
    for (const text of [balance, account, ...short]) {
      const samples = await speak(text);
      const shifted = new Int16Array(samples.length + 123);
      shifted.set(samples, 123);
      expect(await textsOf(shifted)).toEqual([heard(text)]);
      expect(await textsOf(await speak(text, voice, 24_000), 24_000)).toEqual([heard(text)]);
      const narrow = decodeMulaw(encodeMulaw(resampleAll(samples, 16_000, 8000)));
      expect(await textsOf(narrow, 8000)).toEqual([heard(text)]);
    }
  });

  it("has no words for a line that its grammar does not have, that nobody has spoken here, or that is noise", async () => {
    expect(await textsOf(await speak("the weather in Paris is lovely"))).toEqual([""]);
    expect(await textsOf(await speak("yes yes yes I want my account", stranger))).toEqual([""]);
    const noise = Int16Array.from({ length: 16_000 }, (_, at) => ((at * 7919) % 12_001) - 6000);
    expect((await textsOf(noise)).filter((text) => text !== "")).toEqual([]);
  });

  it("has only the words that were said of a line that was cut off", async () => {
    const samples = await speak(balance);
    const [text = ""] = await textsOf(samples.subarray(0, samples.length / 2));
    expect(text).not.toBe("");
    expect(heard(balance).startsWith(text)).toBe(true);
    expect(text.length).toBeLessThan(balance.length);
  });
});
