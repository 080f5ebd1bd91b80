import { describe, expect, it } from "vitest";
import { hearing } from "./fake-expectation.ts";
import { afterLeadIn, withLeadIn } from "./lead-in.ts";
import { openRateHz } from "./open-rate.ts";
import { findSpokenCodes } from "./spoken-code.ts";
import { tokensOf } from "./written-tokens.ts";

const textOf = (...words: readonly string[]): readonly number[] => words.flatMap((word) => tokensOf(word));

describe("the digits before a code", () => {
  it("are heard first, and are no part of it [CODE-23f]", () => {
    const first = hearing([textOf("Seven,", "two,", "nine,", "four.", "Four,", "one"), 0.9], [textOf("Nine"), 0.1]);
    const { codes } = findSpokenCodes(afterLeadIn(first), [2]);
    expect(codes.map(({ digits }) => digits)).toEqual(["41"]);
  });

  it("take less than three seconds", () => {
    const samples = new Int16Array(openRateHz).fill(7);
    const heard = withLeadIn(samples);
    expect(heard.length - samples.length).toBeLessThan(3 * openRateHz);
    expect(heard.slice(-samples.length)).toEqual(samples);
  });
});
