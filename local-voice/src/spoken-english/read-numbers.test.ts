import { assert, integer, nat, property, stringMatching } from "fast-check";
import { describe, expect, it } from "vitest";
import { digitsToWords, moneyToWords, numberToWords } from "@voice/shared/languages/en/spoken-values";
import { findNumbers, withHomophones } from "./read-numbers.ts";

const first = (text: string): ReturnType<typeof findNumbers>[number] | undefined => findNumbers(text.split(" "))[0];

describe("spoken numbers", () => {
  it.each([
    ["four four one two", "4412"],
    ["oh four one two", "0412"],
    ["double four twelve", "4412"],
    ["triple seven one", "7771"],
    ["forty four twelve", "4412"],
    ["four thousand four hundred twelve", "4412"],
    ["four thousand four hundred and twelve", "4412"],
    ["4412", "4412"],
    ["4 4 1 2", "4412"],
    ["nineteen eighty four", "1984"],
  ])("%s is the digits %s", (text, digits) => {
    expect(first(text)?.digits).toBe(digits);
  });

  it.each([
    ["twenty five dollars", 25],
    ["twenty five dollars and fifty cents", 25.5],
    ["fifty cents", 0.5],
    ["1.5k", 1500],
    ["20k dollars", 20_000],
    ["a hundred and fifty dollars", 150],
    ["two fifty", 250],
    ["one million two hundred thousand dollars", 1_200_000],
    ["twelve point five", 12.5],
    ["$1,250.75", 1250.75],
    ["a thousand bucks", 1000],
  ])("%s is the amount %d", (text, amount) => {
    expect(first(text)?.amount).toBe(amount);
  });

  it("reads back any number it says", () => {
    const check = property(nat(9_999_999), (value) => first(numberToWords(value))?.value === value);
    expect(() => assert(check)).not.toThrow();
  });

  it("reads back any digits it says, leading zeros included", () => {
    const check = property(stringMatching(/^\d{2,12}$/), (digits) => first(digitsToWords(digits))?.digits === digits);
    expect(() => assert(check)).not.toThrow();
  });

  it("reads back any amount it says", () => {
    const check = property(
      integer({ min: 1, max: 9_999_999 }),
      (cents) => first(moneyToWords(cents / 100))?.amount === cents / 100,
    );
    expect(() => assert(check)).not.toThrow();
  });

  it("finds no numbers in words that only sound like them, unless the answer must be one", () => {
    expect(findNumbers("to go for it oh".split(" "))).toEqual([]);
    expect(findNumbers(withHomophones("for for one to".split(" ")))[0]?.digits).toBe("4412");
  });

  it("keeps apart numbers that other words separate", () => {
    expect(findNumbers("from two hundred dollars to three".split(" ")).map((run) => run.amount)).toEqual([200, 3]);
  });
});
