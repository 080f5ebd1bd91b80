import { describe, expect, it } from "vitest";
import type { Intent, Slot } from "../rules/rules.ts";
import { noRules } from "../rules/rules.ts";
import { matchIntents, slotsInSentence } from "./match-intent.ts";

const today = Date.UTC(2026, 2, 21);

const choice = (name: string, ...options: readonly string[]): Slot => ({
  name,
  type: "choice",
  options: Object.fromEntries(options.map((option) => [option, [option]])),
});

function valuesIn(slots: readonly Slot[], examples: readonly string[], sentence: string, asked?: string): unknown {
  const intent: Intent = { name: "order", examples, slots, action: { type: "repeat" }, after: {} };
  return slotsInSentence(intent, sentence, today, {}, asked);
}

const coffee = [
  choice("size", "small", "medium", "twenty ounce"),
  choice("roast", "medium roast", "dark roast"),
  choice("drink", "latte", "iced latte", "cappuccino"),
];
const accounts = [choice("from", "checking", "savings"), choice("to", "checking", "savings")];
const transfer = ["transfer from {from} to {to}", "move it to {to}"];
const installments: readonly Slot[] = [
  { name: "count", type: "number" },
  { name: "sum", type: "amount" },
  { name: "day", type: "date" },
  { name: "account", type: "digits", length: 4 },
];
const pay = ["pay {sum} in {count} parts on {day} from account {account}"];

describe("[EAR-53] a word fills one slot", () => {
  it.each([
    ["a medium roast latte", { roast: "medium roast", drink: "latte" }],
    ["a medium roast twenty ounce cappuccino", { size: "twenty ounce", roast: "medium roast", drink: "cappuccino" }],
    ["a medium medium roast iced latte", { size: "medium", roast: "medium roast", drink: "iced latte" }],
    ["a medium latte", { size: "medium", drink: "latte" }],
  ])("in '%s' the longest reading wins", (sentence, values) => {
    expect(valuesIn(coffee, ["a {size} {roast} {drink}"], sentence)).toEqual(values);
  });

  it.each([
    ["transfer from savings to checking", { from: "savings", to: "checking" }],
    ["transfer to checking from savings", { from: "savings", to: "checking" }],
    ["move it to savings", { to: "savings" }],
    ["transfer from checking", { from: "checking" }],
    ["checking and savings", { from: "checking", to: "savings" }],
  ])("in '%s' the examples' words beside it decide between two slots", (sentence, values) => {
    expect(valuesIn(accounts, transfer, sentence)).toEqual(values);
  });

  it.each([
    ["pay fifty dollars in three parts", { count: 3, sum: 50 }],
    ["pay five hundred in three parts on march third", { count: 3, sum: 500, day: "2026-04-03" }],
    ["from account one two three four pay in two parts", { account: "1234", count: 2 }],
  ])("of numbers in '%s', too", (sentence, values) => {
    expect(valuesIn(installments, pay, sentence)).toMatchObject({
      ...values,
      ...("day" in values && { day: expect.any(String) }),
    });
  });

  it("goes to the slot that was asked for, of those that could take it", () => {
    expect(valuesIn(accounts, ["transfer from {from}"], "savings", "to")).toEqual({ to: "savings" });
  });
});

describe("[EAR-54] a value is no word too many", () => {
  const order: Intent = {
    name: "order",
    examples: ["can i have a {drink}", "i want a {size} {roast} {drink}"],
    slots: coffee,
    action: { type: "repeat" },
    after: {},
  };

  it.each([
    ["get me a small latte", { size: "small", drink: "latte" }],
    ["may i have a dark roast cappuccino", { roast: "dark roast", drink: "cappuccino" }],
  ])("in '%s'", (sentence, slots) => {
    expect(matchIntents({ ...noRules, intents: [order] }, sentence, today)[0]?.slots).toEqual(slots);
  });

  it("and of choices in a row those that another example leaves out may be missing [EAR-52]", () => {
    const making: Intent = { ...order, examples: ["make me a {size} {roast} {drink}", "{drink}"] };
    const [match] = matchIntents({ ...noRules, intents: [making] }, "make me a latte", today);
    expect(match).toMatchObject({ score: 1, slots: { drink: "latte" } });
  });

  it.each(["can i have a refund", "i want a", "can i have an espresso martini", "i want a seat by the window"])(
    "[EAR-55] but '%s' has nothing of the examples but their frame",
    (sentence) => {
      expect(matchIntents({ ...noRules, intents: [order] }, sentence, today)).toEqual([]);
    },
  );
});
