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
      ["Brew a mocha with whole milk", 0.01],
    );
    expect(sentence?.text).toBe("brew a latte with whole milk");
    const values = sentence?.values.map(({ wording, lead, other }) => [wording, factor(lead), other]);
    expect(values).toEqual([
      ["latte", 32, "mocha"],
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

  it("says how sure the words beside the values are where none of them was written [EAR-66]", () => {
    const between = find(["Camel my mocka", 0.5], ["Cancel my mocha", 0.2], ["Brew my mocha", 0.1]);
    expect([between?.text, factor(between?.wordsLead)]).toEqual(["cancel my mocha", 2]);
    expect(find(["Cancel my mocka", 0.5], ["Cancel my mocha", 0.2])?.wordsLead).toBe(Infinity);
  });
});
