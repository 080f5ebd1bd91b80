/** The model of English words, heard with the product's own voices. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOpenRecogniser } from "@voice/local-voice/open-vocabulary/open-recogniser";
import type { OpenVocabulary } from "@voice/local-voice/open-vocabulary/open-recogniser";
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { listen, play, recogniserContract, silence } from "@voice/provider-kit/contracts/recogniser.contract";
import { speak } from "@voice/provider-kit/contracts/synthesiser.contract";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { testClock } from "../support/test-clock.ts";

/** On a clock that stands still while words are recognised: what is heard does not depend on how busy the machine is. */
const withOpenWords = { clock: testClock, openVocabulary: { opensUp: false } };

let synthesiser: Synthesiser;
let open: OpenVocabulary;

beforeAll(async () => {
  const [voice, recogniser] = await Promise.all([
    createLocalSynthesiser(),
    createOpenRecogniser({ clock: systemClock, logger: silentLogger }),
  ]);
  if (recogniser === undefined) throw new Error("the model cannot run on this machine");
  synthesiser = voice;
  open = recogniser;
}, 60_000);

afterAll(async () => {
  await Promise.all([synthesiser.close(), open.close()]);
});

recogniserContract({
  name: "local, with open vocabulary",
  create: () => createLocalRecogniser(withOpenWords),
  speak: async (text) => (await speak(synthesiser, text)).samples,
  sentences: ["I want to check my balance", "I want to talk to a person"],
});

const spoken = async (text: string): Promise<Int16Array> => (await speak(synthesiser, text)).samples;
const words = (text: string | undefined): string => (text ?? "").toLowerCase().replaceAll(/[^a-z0-9' ]/g, "");

describe("the recogniser of English", () => {
  it("recognises words that no agent has in its examples [EAR-23]", async () => {
    const text = "the train leaves at seven in the morning";
    expect(words((await open.recognise(await spoken(text), {}))?.text).replace("7", "seven")).toBe(text);
  });

  it("finds the code of the expected length, and none that fits where something else is said [CODE-23a]", async () => {
    const said = await open.recognise(await spoken("seven, zero, four, five"), { codeLengths: [4] });
    expect(said?.codes?.[0]?.digits).toBe("7045");
    expect(said?.codes?.[0]?.fit).toBeGreaterThan(-3);
    const other = await open.recognise(await spoken("what do you mean by that"), { codeLengths: [4] });
    expect(other?.codes?.[0]?.fit ?? -Infinity).toBeLessThan(-6);
  });

  it("recognises no words in silence", async () => {
    expect(await open.recognise(silence(2000), {})).toEqual({ text: "" });
  });

  it("refuses what would have to wait behind three others, and answers those in order [EAR-28]", async () => {
    const samples = await spoken("yes please");
    const texts = await Promise.all([1, 2, 3, 4].map(() => open.recognise(samples, {})));
    expect(texts.map((text) => text !== undefined)).toEqual([true, true, true, false]);
    expect(open.isIdle).toBe(true);
  });

  it("cannot be had where its worker does not start, and stops nothing there [EAR-23]", async () => {
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (_attributes: object, message: string) => warnings.push(message) };
    const workerUrl = new URL("./no-such-worker.ts", import.meta.url);
    expect(await createOpenRecogniser({ clock: systemClock, logger, workerUrl })).toBeUndefined();
    expect(warnings).toEqual(["free speech is not recognised: its model cannot run on this machine"]);
  });
});

describe("the local recogniser with both", () => {
  it("hears the agent's sentences and any others, each in its own words [EAR-24] [EAR-25]", async () => {
    const recogniser = await createLocalRecogniser({ warmDecoders: 1, ...withOpenWords });
    const examples = ["i want to check my balance", "i lost my card"];
    const { stream, finals, final } = await listen(recogniser, { hints: { examples, phrases: [] } });
    for (const [at, text] of ["i want to check my balance", "my neighbour plays the trumpet every evening"].entries()) {
      play(stream, await spoken(text));
      play(stream, silence(800));
      await final(at + 1);
    }
    expect(finals.map(({ text }) => text)).toEqual([
      "i want to check my balance",
      "My neighbor plays the trumpet every evening.",
    ]);
    await recogniser.close();
  });
});
