import { describe, expect, it } from "vitest";
import { packOf } from "@voice/shared/languages/packs";
import { countDigits } from "./count-digits.ts";

const { numbers } = packOf("en");

describe("digits of a code", () => {
  it.each([
    ["seven two nine six", 4],
    ["it is seven two nine six", 4],
    ["oh nine one oh", 4],
    ["double two five seven", 4],
    ["one triple five", 4],
    ["forty four twelve", 4],
    ["nineteen eighty", 4],
    ["7296", 4],
    ["72 96.", 4],
    ["my savings account", 0],
    ["", 0],
  ])("%j has %d", (text, count) => {
    expect(countDigits(text, numbers)).toBe(count);
  });
});
