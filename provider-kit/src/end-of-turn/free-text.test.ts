import { describe, expect, it } from "vitest";
import type { TurnEvidence } from "@voice/provider-kit/ports/end-of-turn";
import { packOf } from "@voice/shared/languages/packs";
import { createEndOfTurnEstimator } from "./estimate-end-of-turn.ts";
import { expectedAnswer } from "./expected-answer.ts";

const english = packOf("en");
const estimator = createEndOfTurnEstimator(english);

/** The wait after a text that no grammar knows, said in answer to `agent`. */
function waitAfter(text: string, agent = "", evidence: Partial<TurnEvidence> = {}): number {
  return estimator.estimate({
    text,
    isFinal: true,
    sentence: undefined,
    expected: expectedAnswer(agent, english),
    prosody: undefined,
    pauses: { count: 0, longestMs: 0 },
    middleMs: 500,
    ...evidence,
  }).waitMs;
}

describe("the end of a turn in free text", () => {
  it.each([
    "hello how are you",
    "yes please",
    "no that's all",
    "it's for tomorrow",
    "i'd like a latte please",
    "somebody stole my wallet",
    "there is a payment on my statement that is not mine",
    "no i don't need anything else",
    "that would be great thank you",
    "how much is it",
    "good morning",
  ])("[TURN-18] is quick after %j", (text) => {
    expect(waitAfter(text)).toBeLessThan(500);
  });

  it.each([
    "i'd like a",
    "my number is",
    "and then um",
    "with",
    "can i get a latte with",
    "i would like to",
    "i want to book a",
    "my flight was delayed and",
    "is there anything with",
    "can you tell me",
    "because i",
  ])("[TURN-19] is patient after %j", (text) => {
    expect(waitAfter(text)).toBeGreaterThan(900);
  });

  it.each(["a table for two at seven thirty", "can we come at half past seven", "we are a party of twelve"])(
    "[TURN-20] takes the number at the end of %j for no code",
    (text) => {
      expect(waitAfter(text)).toBeLessThan(600);
    },
  );

  it.each([
    "my number is four",
    "my phone number is 415 555",
    "four one two",
    "it is 4412",
    "five",
    "the code is nine zero",
    "reservation a b r",
  ])("[TURN-21] waits for the rest of a code after %j", (text) => {
    expect(waitAfter(text)).toBeGreaterThan(1200);
  });

  it("[TURN-21] knows that a time of day is no spelling", () => {
    for (const text of ["tonight at 9 p m please, at 9 p m", "make it 8 a m"])
      expect(waitAfter(text)).toBeLessThan(900);
  });

  it("[TURN-22] knows a whole card number by its checksum, and a telephone number by its groups", () => {
    const question = "What is your card number?";
    for (const half of ["4111", "four one one one", "4111 1111 1111", "4111 1111 1111 1112"])
      expect(waitAfter(half, question)).toBeGreaterThan(1200);
    expect(waitAfter("4111 1111 1111 1111", question)).toBeLessThan(300);
    expect(waitAfter("my phone number is 415 555 0086")).toBeLessThan(300);
  });

  it.each([
    ["For how many people?", "four", "for four"],
    ["What city are you in?", "san francisco", "austin texas"],
    ["For what day would you like it?", "tomorrow", "the 15th of december"],
  ])("[TURN-23] takes an answer to %j for whole that is none without it", (agent, ...answers) => {
    for (const answer of answers) expect(waitAfter(answer, agent)).toBeLessThan(400);
  });

  it("[TURN-23] does not take the words of a question for a choice from it", () => {
    const agent = "Would you like the savings account or the one for business?";
    expect(waitAfter("the savings account", agent)).toBeLessThan(250);
    expect(waitAfter("the one for", agent)).toBeGreaterThan(900);
  });

  it("[TURN-24] waits less after a final with a full stop, and more after one that breaks off", () => {
    const text = "the weather is fine in rome";
    const bare = waitAfter(text);
    expect(waitAfter(`${text}.`)).toBeLessThan(bare);
    expect(waitAfter(`${text}.`, "", { isFinal: false })).toBe(bare);
    for (const mark of ["...", "…", ",", " -"]) expect(waitAfter(`${text}${mark}`)).toBeGreaterThan(1.5 * bare);
  });

  it("[TURN-25] tells a word that hesitates from the same word at the end of a sentence", () => {
    for (const text of ["well", "um so", "like"]) expect(waitAfter(text)).toBeGreaterThan(1200);
    expect(waitAfter("i'll have that as well")).toBeLessThan(450);
    expect(waitAfter("well yes")).toBeLessThan(200);
  });

  it("judges a hundred words within a millisecond", () => {
    const text = "i would like to know whether ".repeat(17);
    const rounds = 200;
    const startedUs = process.cpuUsage().user;
    for (let round = 0; round < rounds; round++) waitAfter(text);
    expect((process.cpuUsage().user - startedUs) / rounds).toBeLessThan(1000);
  });
});
