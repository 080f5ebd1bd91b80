import { describe, expect, it } from "vitest";
import { hearing } from "./fake-expectation.ts";
import { findKnownSentence } from "./known-sentence.ts";
import { knownValuesOf } from "./known-values.ts";
import { tokenOf, tokensOf } from "./written-tokens.ts";

const known = knownValuesOf([
  "brew a {order.size: sixteen ounce | large} {order.drink: latte | mocha | iced mocha} with {order.milk: milk | some milk | whole milk}",
  "cancel my {order.drink}",
]);
const fullStop = tokenOf(".");
const text = (words: string): readonly number[] => [...words.split(" ").flatMap((word) => tokensOf(word)), fullStop];

/** `written`: what is the most probable text; the others are what else the model thinks of. */
function find(written: readonly [text: string, probability: number], ...others: readonly [string, number][]) {
  const first = hearing(...[written, ...others].map(([words, probability]) => [text(words), probability] as const));
  return findKnownSentence(first, { text: `${written[0]}.`, score: Math.log(written[1]) }, known);
}

const factor = (lead: number | undefined): number => Math.round(Math.exp(lead ?? 0));

describe("the sentence of an agent's words that was most probably said", () => {
  it("is found where other words were written, with how much more probable each value is [EAR-65]", () => {
    const sentence = find(
      ["Brew a latte with home oak", 0.5],
      ["Brew a latte with whole milk", 0.3],
      ["Brew a latte with some milk", 0.02],
      ["Brew a mocha with whole milk", 0.015],
    );
    expect(sentence?.text).toBe("brew a latte with whole milk");
    const values = sentence?.values.map(({ wording, lead, other }) => [wording, factor(lead), other]);
    expect(values).toEqual([
      ["latte", 21, "mocha"],
      ["whole milk", 16, "some milk"],
    ]);
  });

  it("is found however the model writes it [EAR-65]", () => {
    const written = ["Brew", "a"].flatMap((word) => tokensOf(word));
    const sixteen = [tokenOf("▁"), tokenOf("1"), tokenOf("6")];
    const first = hearing(
      [[...written, ...tokensOf("sixty"), ...tokensOf("pounds"), ...tokensOf("latte")], 0.6],
      [[...written, ...sixteen, ...tokensOf("ounce"), tokenOf(","), ...tokensOf("latte"), fullStop], 0.2],
    );
    const free = { text: "Brew a sixty pounds latte", score: Math.log(0.6) };
    expect(findKnownSentence(first, free, known)?.text).toBe("brew a sixteen ounce latte");
  });

  it("is none where it is less probable than what was written by a factor of 3,000, or much shorter [EAR-65]", () => {
    expect(find(["Brew a latte with home oak", 0.99], ["Brew a latte with whole milk", 0.0001])).toBeUndefined();
    expect(find(["Brew a latte with home oak and stones", 0.5], ["Brew a latte", 0.3])).toBeUndefined();
  });

  it("is not looked for where what was written is clear, or mostly about something else [EAR-65]", () => {
    expect(find(["Brew a latte with milk", 0.5], ["Brew a mocha with milk", 0.4])).toBeUndefined();
    expect(find(["My brother loves his latte", 0.5], ["Brew a large latte", 0.4])).toBeUndefined();
  });

  it("has no word beside its values that was not written, because a wish is not invented [EAR-65]", () => {
    expect(find(["Camel my mocka", 0.5], ["Cancel my mocha", 0.2])).toBeUndefined();
    expect(find(["Cancel my mocka", 0.5], ["Cancel my mocha", 0.2])?.text).toBe("cancel my mocha");
  });

  it("competes with words that the agent does not know, each of which makes it less probable by a factor of 50 [EAR-66]", () => {
    const said = (probability: number) =>
      find(["Brew a latte with oat milk", 0.5], ["Brew a latte with whole milk", probability]);
    const milk = said(0.1)?.values.find(({ choice }) => choice === "order.milk");
    expect([milk?.wording, factor(milk?.lead)]).toEqual(["whole milk", 10]);
    expect(said(0.005)).toBeUndefined();
  });

  it("has a value that every example has, and no part of a value by itself, unless that is 50 times as probable [EAR-66a]", () => {
    const said = (probability: number) =>
      find(
        ["Brew an ice moke with milk", 0.5],
        ["Brew an iced milk", 0.3],
        ["Brew an iced mocha with milk", probability],
      );
    const drink = said(0.2)?.values.find(({ choice }) => choice === "order.drink");
    expect([drink?.wording, drink?.other]).toEqual(["iced mocha", undefined]);
  });
});
