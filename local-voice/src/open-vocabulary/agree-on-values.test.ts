import { describe, expect, it } from "vitest";
import { agreeOnValues } from "./agree-on-values.ts";
import { KnownValues } from "./known-values.ts";

const known = new KnownValues([
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
    const bank = new KnownValues([
      "check my {bank.account: checking | savings} account",
      "close my {bank.account} account",
    ]);
    expect(agreeOnValues("check my savings account", "Close my savings account.", bank)).toEqual({
      text: "close my savings account",
    });
  });

  it("say nothing of a sentence that is not about values, or has a number besides", () => {
    expect(between("can i get a coffee", "My brother has not called since last summer.")).toBeUndefined();
    expect(between("can i get a coffee", "Can I get 4412 coffee?")).toBeUndefined();
    expect(agreeOnValues("what time is it", "What time is it?", new KnownValues(["what time is it"]))).toBeUndefined();
  });
});
