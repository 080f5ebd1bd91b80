import { describe, expect, it } from "vitest";
import {
  afterYesNo,
  beginsWithYes,
  confirmations,
  isConditional,
  readYesNo,
  shortAnswers,
  withoutLeadingAnswer,
} from "./yes-no.ts";

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
    ["of course", "yes"],
    ["of course not", "no"],
    ["don't worry go ahead", "yes"],
    ["i am not sure", undefined],
    ["yes and no", undefined],
    ["i do not know", undefined],
    ["what does it cost please", undefined],
    ["is that right", undefined],
    ["purple rain", undefined],
  ])("%s: %s", (text, verdict) => {
    expect(readYesNo(text.split(" "))).toBe(verdict);
  });

  it.each(["do not do it", "don't do that", "no don't do that", "do not go ahead", "i do not want you to do that"])(
    "%s: what is denied is no yes",
    (text) => {
      expect(readYesNo(text.split(" "))).toBe("no");
    },
  );

  it.each([
    ["yes no", "no"],
    ["yeah no", "no"],
    ["yes that is wrong", "no"],
    ["okay no", "no"],
    ["no please", "no"],
    ["no go ahead", "yes"],
    ["no worries go ahead", "yes"],
    ["no yes", "both"],
    ["no no yes please", "both"],
  ])("%s: the last word counts where that is no guess: %s", (text, verdict) => {
    expect(readYesNo(text.split(" "))).toBe(verdict);
  });

  it.each([
    ["yes no wait no", "no"],
    ["no wait yes", "yes"],
    ["no i mean yes please", "yes"],
    ["yes sorry no", "no"],
    ["um yes hold on no", "no"],
    ["wait yes", "yes"],
  ])("%s: what was taken back does not count: %s", (text, verdict) => {
    const tokens = text.split(" ");
    expect(readYesNo(tokens)).toBe(verdict);
    expect(afterYesNo(tokens)).toEqual([]);
    expect(isConditional(tokens)).toBe(false);
  });

  it("is no yes to act upon yet where the caller says to wait", () => {
    expect(["yes wait", "okay hold on", "yes just a moment"].filter((text) => !isConditional(text.split(" ")))).toEqual(
      [],
    );
  });

  it("leaves the words after it as they are, with their not", () => {
    expect(withoutLeadingAnswer("no thank you i would not do that".split(" ")).join(" ")).toBe("i would not do that");
    expect(withoutLeadingAnswer("yes please".split(" "))).toEqual([]);
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
