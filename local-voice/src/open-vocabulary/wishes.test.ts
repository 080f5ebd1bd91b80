import { describe, expect, it } from "vitest";
import { knownValuesOf } from "./known-values.ts";

const known = knownValuesOf([
  "brew a {order.size: small | large} {order.roast: light roast | dark roast} {order.drink: latte | mocha}",
  "make me a {order.drink} with {order.milk: milk}",
  "call me in the {call.part: morning | evening} of {call.day: monday | friday}",
  "call me on {call.day}",
  "check my {balance.account: checking | savings}",
  "no the {balance.account}",
  "is the {fee.card: debit | credit} one free with {fee.account: checking | savings}",
]);

describe("the words of a caller in a pause", () => {
  it.each([
    ["can I get a light roast", "an order whose examples all have a drink"],
    ["a large, dark roast", "two values"],
    ["could you call me in the morning", "a wish that needs a day"],
  ])('are a beginning where a value is missing that every example has: "%s", %s [EAR-69]', (text) => {
    expect(known.isBeginning(text)).toBe(true);
  });

  it.each([
    ["can I get a light roast latte", "has all that is needed"],
    ["the large one", "is an answer"],
    ["I would like to check my savings", "is whole in one of the wishes that have this value"],
    ["can I get a light roast scapegoat", "has a word that may be the value"],
    ["I would like to talk to somebody", "has no value"],
  ])('are none where they may be all: "%s" %s [EAR-69]', (text) => {
    expect(known.isBeginning(text)).toBe(false);
  });
});
