import { describe, expect, it } from "vitest";
import { hearing } from "./fake-expectation.ts";
import { leadOf } from "./ranked-codes.ts";
import { findSpokenCodes } from "./spoken-code.ts";
import { tokenOf, tokensOf } from "./written-tokens.ts";

const comma = [tokenOf(",")];
const written = (...words: readonly string[]): readonly number[] =>
  words.flatMap((word, at) => [...(at === 0 ? [] : comma), ...tokensOf(word)]);
const spaced = (digits: string): readonly number[] => [tokenOf("▁"), ...Array.from(digits, tokenOf)];

describe("the code in what somebody has said", () => {
  it("is the most probable one of that length, though a text that is no code is more so [CODE-23a]", () => {
    const first = hearing(
      [[...tokensOf("Binged"), ...tokensOf("one")], 0.7],
      [written("three", "one", "four", "six"), 0.2],
      [written("three", "one", "four"), 0.08],
      [written("three", "nine", "four", "six"), 0.02],
    );
    const { codes } = findSpokenCodes(first, [4]);
    expect(codes[0]?.digits).toBe("3146");
    expect(Math.exp(codes[0]?.score ?? 0)).toBeCloseTo(0.2);
    expect(Math.exp(leadOf(codes))).toBeCloseTo(10);
  });

  it("is as probable as all ways to write it together [CODE-23a]", () => {
    const first = hearing(
      [written("Eight", "oh", "one", "one"), 0.3],
      [spaced("8011"), 0.2],
      [[tokenOf("▁"), tokenOf("8"), tokenOf("0"), tokenOf("-"), tokenOf("1"), tokenOf("1"), tokenOf(".")], 0.1],
      [written("eight", "five", "one", "one"), 0.4],
    );
    const [found] = findSpokenCodes(first, [4]).codes;
    expect([found?.digits, Math.exp(found?.score ?? 0).toFixed(2)]).toEqual(["8011", "0.60"]);
  });

  it("may have the length of what is missing [CODE-23a]", () => {
    const first = hearing([written("four", "two"), 0.6], [written("four", "two", "two", "two"), 0.3]);
    expect(findSpokenCodes(first, [4, 2]).codes[0]?.digits).toBe("42");
    expect(findSpokenCodes(first, [4]).codes[0]?.digits).toBe("4222");
  });
  it("is told beside the digits that were most probably said if more are to come [CODE-23c]", () => {
    const first = hearing(
      [tokensOf("Right"), 0.65],
      [written("five"), 0.2],
      [written("five", "oh"), 0.1],
      [written("five", "oh", "one", "four"), 0.05],
    );
    const { codes, part } = findSpokenCodes(first, [4]);
    expect([codes[0]?.digits, part?.digits, Math.exp(part?.score ?? 0).toFixed(2)]).toEqual(["5014", "5", "0.20"]);
  });
});
