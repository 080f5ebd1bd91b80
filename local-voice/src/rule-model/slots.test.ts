import { describe, expect, it } from "vitest";
import type { Slot } from "../rules/rules.ts";
import { joinedDigits, slotFromSentence, slotValues } from "./slots.ts";

const today = Date.UTC(2026, 2, 21);
const card: Slot = { name: "card", type: "choice", options: { credit: ["credit", "credit card"], debit: ["debit"] } };
const kind: Slot = { name: "kind", type: "choice", options: { theft: ["theft"], hit: ["collision"], fire: ["fire"] } };
const pin: Slot = { name: "pin", type: "digits", length: 4 };
const sum: Slot = { name: "sum", type: "amount" };

const value = (slot: Slot, text: string, known?: string | number): unknown =>
  slotFromSentence(slot, text.split(" "), today, known);

describe("the value of a slot", () => {
  it.each([
    [kind, "it was a theft not a collision", "theft"],
    [kind, "not a theft a fire", "fire"],
    [kind, "it was not a theft", "theft"],
    [card, "not credit debit", "debit"],
    [card, "not my credit card my debit card", "debit"],
    [card, "not credit", "debit"],
    [card, "not credit not debit", "credit"],
    [pin, "seven two nine six not seven two nine five", "7296"],
    [sum, "not fifty dollars i said fifteen dollars", 15],
  ])("of $name in '%s' is what is not denied", (slot, text, expected) => {
    expect(value(slot, text)).toBe(expected);
  });

  it("is the other one of two where one is known", () => {
    expect(value(card, "the other card", "credit")).toBe("debit");
    expect(value(card, "the other card")).toBeUndefined();
    expect(value(kind, "the other one", "fire")).toBeUndefined();
  });

  it("is the new one where a sentence has the old one as well", () => {
    expect(value(card, "change it from my credit card to my debit card", "credit")).toBe("debit");
    expect(value(card, "the credit card", "credit")).toBe("credit");
  });

  it("is more than one where a sentence has more", () => {
    expect(slotValues(card, ["both"], today)).toEqual(["credit", "debit"]);
    expect(slotValues(card, "my debit and my credit card".split(" "), today)).toEqual(["debit", "credit"]);
  });

  it("is put together from digits that come in pieces", () => {
    expect(joinedDigits(undefined, ["seven", "two", "nine"], 4)).toBe("729");
    expect(joinedDigits("729", ["six"], 4)).toBe("7296");
    expect(joinedDigits("729", ["seven", "two", "nine", "six"], 4)).toBe("7296");
    expect(joinedDigits("729", ["what"], 4)).toBeUndefined();
  });
});
