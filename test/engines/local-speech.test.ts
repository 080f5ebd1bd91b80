/** A voice of one engine heard by the other, which has heard all of it when it is flushed; and what must not be heard as words. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeMulaw, encodeMulaw } from "@voice/provider-kit/audio/mulaw";
import { resampleAll } from "@voice/provider-kit/audio/resample";
import type { Recogniser, RecognitionHints } from "@voice/provider-kit/ports/recogniser";
import { heard, listen, play, silence } from "@voice/provider-kit/contracts/recogniser.contract";
import { createInlineRecogniser } from "../support/inline-recogniser.ts";
import { spokenLine } from "../support/speech-engines.ts";

const bank = {
  examples: [
    "I want to check my balance",
    "what is my balance",
    "I lost my card",
    "my card was stolen",
    "block my card",
    "my account number is {digits}",
    "transfer {amount} to savings",
    "pay {amount} on {date}",
    "when is my payment due",
    "talk to a person",
    "I want to open an account",
    "change my address",
    "I forgot my password",
    "what are your opening hours",
  ],
  phrases: ["Contoso"],
};
const clinic = {
  examples: ["book an appointment for {date}", "cancel my appointment", "I need to see a doctor", "my tooth hurts"],
  phrases: [],
};

const sentences = [
  "I want to check my balance",
  "My account number is one two three four",
  "Transfer fifty dollars to savings",
  "What are your opening hours?",
  "I forgot my password",
  "Talk to a person, please",
  "I lost my card",
  "Yes please",
];

describe("local speech, closed loop", () => {
  let recogniser: Recogniser;
  beforeAll(async () => {
    recogniser = await createInlineRecogniser(1);
  });
  afterAll(() => recogniser.close());

  const say = (text: string, voice = "en-US-JennyNeural"): Promise<Int16Array> =>
    spokenLine({ text, voice, sampleRateHz: 16_000 });

  async function textsOf(
    samples: Int16Array,
    hints: RecognitionHints = bank,
    sampleRateHz = 16_000,
  ): Promise<string[]> {
    const listener = await listen(recogniser, { hints, sampleRateHz });
    play(listener.stream, samples, sampleRateHz);
    play(listener.stream, silence(700, sampleRateHz), sampleRateHz);
    listener.stream.flush();
    listener.stream.close();
    expect(listener.errors).toEqual([]);
    return listener.finals.map(({ text }) => text);
  }

  it.each(["en-US-JennyNeural", "en-US-GuyNeural", "en-GB-RyanNeural"])("hears what %s says", async (voice) => {
    for (const sentence of sentences) expect(await textsOf(await say(sentence, voice))).toEqual([heard(sentence)]);
  });

  it("hears a telephone line", async () => {
    for (const sentence of sentences) {
      const narrow = decodeMulaw(encodeMulaw(resampleAll(await say(sentence), 16_000, 8_000)));
      expect(await textsOf(narrow, bank, 8_000)).toEqual([heard(sentence)]);
    }
  });

  it("hears a browser at 24 kHz", async () => {
    for (const sentence of sentences.slice(0, 4))
      expect(await textsOf(resampleAll(await say(sentence), 16_000, 24_000), bank, 24_000)).toEqual([heard(sentence)]);
  });

  it.each(["no", "yes", "stop", "wait", "help", "repeat that", "goodbye"])("always understands %s", async (word) => {
    expect(await textsOf(await say(word, "en-US-GuyNeural"))).toEqual([word]);
  });

  it.each(["rms", "awb", "slt", "kal16"])("hears or guesses a lone yes and no of %s [TURN-13h]", async (voice) => {
    for (const word of ["yes", "no"]) {
      const listener = await listen(recogniser, { hints: bank });
      play(listener.stream, await say(word, voice));
      play(listener.stream, silence(160));
      listener.stream.flush();
      listener.stream.close();
      expect(listener.finals.map(({ text, guess }) => (text === "" ? guess : text))).toEqual([word]);
    }
  });

  it.each(["rms", "awb", "slt", "kal16"])(
    "hears a lone hi of %s where nobody has spoken yet, and a bye as ever [TURN-14d]",
    async (voice) => {
      for (const word of ["hi", "bye"])
        expect(await textsOf(await say(word, voice), { ...bank, awaits: { type: "greeting" } })).toEqual([word]);
    },
  );

  it("hears the digits of a code that was asked for over a telephone line [TURN-14c]", async () => {
    const code = "seven three six four";
    const narrow = decodeMulaw(encodeMulaw(resampleAll(await say(code, "awb"), 16_000, 8_000)));
    expect(await textsOf(narrow, { ...bank, awaits: { type: "digits", length: 4 } }, 8_000)).toEqual([code]);
  });

  it("hears the digit that is still missing of a code, alone, and takes no other sound for it [TURN-14c]", async () => {
    const hints: RecognitionHints = { ...bank, awaits: { type: "digits", length: 4, missing: 1 } };
    for (const voice of ["rms", "slt"]) {
      for (const digit of ["six", "eight"]) expect(await textsOf(await say(digit, voice), hints)).toEqual([digit]);
      expect(await textsOf(await say("seven two nine six", voice), hints)).toEqual(["seven two nine six"]);
      expect((await textsOf(await say("hmm", voice), hints)).join("")).toBe("");
    }
  });

  it("hears a name that no dictionary has", async () => {
    expect(await textsOf(await say("Contoso"))).toEqual(["contoso"]);
  });

  it("hears the pieces of the examples put together anew", async () => {
    expect(await textsOf(await say("I want to block my card"))).toEqual(["i want to block my card"]);
  });

  it.each([
    "I lost my card and I want to check my balance",
    "What is my balance and also when is my payment due",
    "Block my card and then change my address please",
  ])("hears two sentences in one breath: %s", async (sentence) => {
    for (const voice of ["rms", "slt"]) expect(await textsOf(await say(sentence, voice))).toEqual([heard(sentence)]);
  });

  it("listens for something else from the next segment on when told so", async () => {
    const listener = await listen(recogniser, { hints: bank });
    const appointment = await say("Cancel my appointment");
    play(listener.stream, await say("I lost my card"));
    listener.stream.setHints(clinic);
    listener.stream.flush();
    expect((await listener.final(1)).text).toBe("i lost my card");
    play(listener.stream, appointment);
    listener.stream.flush();
    expect((await listener.final(2)).text).toBe("cancel my appointment");
    listener.stream.close();
    expect(await textsOf(appointment)).not.toContain("cancel my appointment");
  });

  it.each([
    ["silence", () => new Int16Array(32_000)],
    ["a tone", () => Int16Array.from({ length: 32_000 }, (_, index) => 8_000 * Math.sin(index * 0.17))],
    [
      "full-scale noise",
      () => Int16Array.from({ length: 32_000 }, (_, index) => ((index * 7_919_377) % 65_536) - 32_768),
    ],
  ])("hears no words in %s", async (_, make) => {
    expect((await textsOf(make())).join("")).toBe("");
  });

  const damages: readonly (readonly [string, (samples: Int16Array) => Int16Array])[] = [
    ["reversed speech", (samples) => samples.toReversed()],
    ["8 kHz audio taken for 16", (samples) => resampleAll(samples, 16_000, 8_000)],
    ["16 kHz audio taken for 8", (samples) => resampleAll(samples, 8_000, 16_000)],
    ["swapped bytes", (samples) => samples.map((sample) => ((sample & 0xff) << 8) | ((sample >> 8) & 0xff))],
  ];
  it.each(damages)("hears no command in %s", async (_, damage) => {
    const texts: string[] = [];
    for (const sentence of sentences.slice(0, 4)) texts.push((await textsOf(damage(await say(sentence)))).join(" "));
    // A short word now and then (1 of 4 at most) is what it costs to understand short words at all; a sentence never.
    expect(texts.filter((text) => text !== "").length).toBeLessThanOrEqual(1);
    expect(texts.filter((text) => text.split(" ").length > 2)).toEqual([]);
  });

  it.each([
    ["The weather in Paris is lovely this time of year", "en-US-JennyNeural"],
    ["My hovercraft is full of eels", "en-US-GuyNeural"],
    ["The quick brown fox jumps over the lazy dog", "en-US-JennyNeural"],
    ["Please turn off the lights upstairs", "en-US-GuyNeural"],
    ["How do I bake a chocolate cake", "en-US-JennyNeural"],
    ["Elephants never forget anything", "en-US-GuyNeural"],
  ])("hears no words in what nobody taught it: %s", async (sentence, voice) => {
    expect(await textsOf(await say(sentence, voice))).toEqual([""]);
  });
});
