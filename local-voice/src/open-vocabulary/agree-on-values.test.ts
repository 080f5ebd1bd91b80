import { describe, expect, it } from "vitest";
import { agreeOnValues } from "./agree-on-values.ts";
import { knownValuesOf } from "./known-values.ts";

const known = knownValuesOf([
  "can i get a {order.roast: light roast | dark roast} {order.drink: coffee | latte | americano | cappuccino} with {order.milk: milk | skim milk | almond milk} and {order.sugar: sugar | sweetener}",
]);

const between = (grammar: string, open: string) => agreeOnValues(grammar, open, known);

describe("two recognisers that heard values of an agent", () => {
  it("agree where each value is the same, however one of them wrote it [EAR-60]", () => {
    expect(between("can i get a dark roast americano", "Can I get a dark rose of merricano?")).toEqual({});
  });

  it("are both taken where the open one wrote nothing but what the agent knows [EAR-60]", () => {
    expect(between("can i get a coffee please and forget it", "Can I get a coffee with sweetener?")).toEqual({
      text: "can i get a coffee with sweetener",
    });
    expect(between("", "Get me a dark roast latte.")).toEqual({ text: "get me a dark roast latte" });
  });

  it("leave in doubt a value that only the grammar has, where the open one wrote what nobody knows [EAR-61]", () => {
    expect(between("can i get a coffee with almond milk", "Can I get a coffee with involvement milk?")).toEqual({
      guess: "can i get a coffee with [almond milk]",
    });
  });

  it("leave in doubt a value that each heard otherwise, unless the open one is clear [EAR-61]", () => {
    expect(between("can i get a latte with almond milk", "Can I get a latte with some dim milk?")).toEqual({
      guess: "can i get a latte with [almond milk]",
    });
    expect(between("can i get a latte with milk", "Can I get a coffee with milk?")).toEqual({
      text: "can i get a coffee with milk",
    });
  });

  it("ask about a value that only one of them has, and that the other did not miss [EAR-61]", () => {
    expect(between("can i get a coffee", "Can I get a coffee with some swingline?")?.text).toBeUndefined();
  });

  it("do not agree where one wish has the values of another [EAR-61]", () => {
    const bank = knownValuesOf([
      "check my {bank.account: checking | savings} account",
      "close my {bank.account} account",
    ]);
    expect(agreeOnValues("check my savings account", "Close my savings account.", bank)).toEqual({
      text: "close my savings account",
    });
  });

  describe("where the sentence of the agent's words was looked for", () => {
    const sentence = (milkLead: number) => ({
      text: "can i get a latte with almond milk",
      values: [
        { choice: "order.drink", wording: "latte", lead: Infinity, other: undefined },
        { choice: "order.milk", wording: "almond milk", lead: Math.log(milkLead), other: "milk" },
      ],
    });
    const open = "Can I get a lot with all men milk?";

    it("are certain of a value that is 50 times as probable as any other, or 5 times where the grammar has it [EAR-66]", () => {
      const certain = { text: "can i get a latte with almond milk" };
      expect(agreeOnValues("can i get a latte with milk", open, known, sentence(51))).toEqual(certain);
      expect(agreeOnValues("can i get a latte with almond milk", open, known, sentence(6))).toEqual(certain);
    });

    it("ask about the others alone [EAR-66]", () => {
      const guess = { guess: "can i get a latte with [almond milk]" };
      expect(agreeOnValues("can i get a latte with milk", open, known, sentence(49))).toEqual(guess);
      expect(agreeOnValues("can i get a latte with almond milk", open, known, sentence(4))).toEqual(guess);
    });

    it("ask about a value that may not have been said at all [EAR-66]", () => {
      const { text, values } = sentence(100);
      const sugar = { choice: "order.sugar", wording: undefined, lead: Math.log(3), other: "sugar" };
      const found = { text, values: [...values, sugar] };
      expect(agreeOnValues("can i get a latte with sugar", open, known, found)).toEqual({ guess: `${text}, [sugar]` });
      expect(agreeOnValues("", open, known, found)).toEqual({ guess: `${text}, [sugar]` });
    });
  });

  it("say nothing of a sentence that is not about values, or has a number besides", () => {
    expect(between("can i get a coffee", "My brother has not called since last summer.")).toBeUndefined();
    expect(between("can i get a coffee", "Can I get 4412 coffee?")).toBeUndefined();
    expect(agreeOnValues("what time is it", "What time is it?", knownValuesOf(["what time is it"]))).toBeUndefined();
  });
});
