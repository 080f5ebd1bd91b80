import { describe, expect, it } from "vitest";
import { dateToWords, digitsToWords, moneyToWords, numberToWords, ordinalToWords } from "./spoken-values.ts";

describe("spoken forms", () => {
  it.each([
    [0, "zero"],
    [40, "forty"],
    [115, "one hundred fifteen"],
    [2_000_012, "two million twelve"],
    [-7, "minus seven"],
    [3.9, "three"],
  ])("%d is %s", (value, words) => {
    expect(numberToWords(value)).toBe(words);
  });

  it.each([
    [1, "one dollar"],
    [0, "zero dollars"],
    [0.01, "one cent"],
    [19.99, "nineteen dollars and ninety nine cents"],
    [-35, "minus thirty five dollars"],
    [1.005, "one dollar"],
    [0.1 + 0.2, "thirty cents"],
  ])("$%d is %s", (amount, words) => {
    expect(moneyToWords(amount)).toBe(words);
  });

  it.each([
    [1, "first"],
    [12, "twelfth"],
    [20, "twentieth"],
    [22, "twenty second"],
    [31, "thirty first"],
  ])("%d is the %s", (value, words) => {
    expect(ordinalToWords(value)).toBe(words);
  });

  it("reads digits one by one, and dates without their year", () => {
    expect(digitsToWords("04-12")).toBe("zero four one two");
    expect(dateToWords("2026-12-03T10:00:00Z")).toBe("December third");
    expect(dateToWords("soon")).toBe("soon");
  });
});
