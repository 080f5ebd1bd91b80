import { describe, expect, it } from "vitest";
import { lastMeant, numbersMeant } from "./self-repair.ts";

const digitsIn = (text: string): readonly string[] => numbersMeant(text.split(" ")).map(({ digits }) => digits);

describe("a number that is corrected while it is said", () => {
  it.each([
    ["seven two nine five sorry six", ["7296"]],
    ["seven two nine five sorry seven two nine six", ["7296"]],
    ["seven two six nine no wait nine six", ["7296"]],
    ["seven two nine five oh sorry it is seven two nine six", ["7296"]],
    ["seven two nine oh sorry six", ["7296"]],
    ["seven two nine i mean seven two nine six", ["7296"]],
    ["five thousand i mean five hundred", ["500"]],
    ["one two no three sorry four", ["14"]],
    // Two numbers that both count.
    ["four four and one two", ["44", "12"]],
    ["seven two nine six and my zip code is no secret it is one two three", ["7296", "123"]],
  ])("%s", (text, digits) => {
    expect(digitsIn(text)).toEqual(digits);
  });

  it("has the value of what was said last", () => {
    const [amount] = numbersMeant("five thousand i mean five hundred dollars".split(" "));
    expect(amount?.amount).toBe(500);
  });
});

it("drops values that are taken back and keeps those that are added", () => {
  const tokens = "checking no savings and cards".split(" ");
  const values = ["checking", "savings", "cards"].map((word) => ({
    word,
    start: tokens.indexOf(word),
    end: tokens.indexOf(word) + 1,
  }));
  expect(lastMeant(values, tokens).map(({ word }) => word)).toEqual(["savings", "cards"]);
});
