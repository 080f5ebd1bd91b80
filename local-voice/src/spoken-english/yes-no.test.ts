import { describe, expect, it } from "vitest";
import { beginsWithYes, confirmations, isConditional, readYesNo, shortAnswers } from "./yes-no.ts";

describe("the answer to a yes-or-no question", () => {
  it.each([
    ["yes please", "yes"],
    ["sure go for it", "yes"],
    ["that is right", "yes"],
    ["okay", "yes"],
    ["why not", "yes"],
    ["no problem", "yes"],
    ["could you do that please", "yes"],
    ["no thanks", "no"],
    ["not now", "no"],
    ["maybe later", "no"],
    ["i am not sure", undefined],
    ["i do not know", undefined],
    ["what does it cost please", undefined],
    ["is that right", undefined],
    ["purple rain", undefined],
  ])("%s: %s", (text, verdict) => {
    expect(readYesNo(text.split(" "))).toBe(verdict);
  });

  it("is read from every sentence that a recogniser listens for", () => {
    const sentences = [...shortAnswers, ...confirmations];
    expect(sentences.filter((sentence) => readYesNo(sentence.split(" ")) === undefined)).toEqual([]);
  });

  it("tells a yes from a yes with a condition, and from a polite word", () => {
    expect(isConditional("yes but what is the fee".split(" "))).toBe(true);
    expect(isConditional("yes and block my card".split(" "))).toBe(false);
    expect(beginsWithYes("yes and block my card".split(" "))).toBe(true);
    expect(beginsWithYes("please connect me".split(" "))).toBe(false);
  });
});
