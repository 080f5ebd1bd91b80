import { describe, expect, it } from "vitest";
import { parseExamples, spokenForm } from "./examples.ts";

const shown = (text: string): string =>
  parseExamples([text])
    .flat()
    .map((token) => (token.type === "word" ? token.word : token.type === "slot" ? `<${token.slot}>` : token.name))
    .join(" ");

describe("examples", () => {
  it.each([
    ["What's my balance?", "what's my balance"],
    ["I'd like to pay — NOW!", "i'd like to pay now"],
    ["Café “Contoso”", "cafe contoso"],
    ["room 12", "room twelve"],
    ["code 007", "code zero zero seven"],
    ["transfer {amount} to account {digits}", "transfer <amount> to account <digits>"],
    ["on {date}, {number} times", "on <date> <number> times"],
    ["my name is { name }", "my name is <phrase>"],
    ["", ""],
    ["?!", ""],
  ])("reads %s", (text, tokens) => {
    expect(shown(text)).toBe(tokens);
  });

  it.each([
    [0, "zero"],
    [7, "seven"],
    [10, "ten"],
    [19, "nineteen"],
    [20, "twenty"],
    [42, "forty two"],
    [100, "one hundred"],
    [305, "three hundred five"],
    [1_000, "one thousand"],
    [999_999, "nine hundred ninety nine thousand nine hundred ninety nine"],
  ])("says %i", (value, words) => {
    expect(spokenForm(String(value)).join(" ")).toBe(words);
  });

  it("says a number too long to be one digit by digit", () => {
    expect(spokenForm("1234567").join(" ")).toBe("one two three four five six seven");
  });
});
