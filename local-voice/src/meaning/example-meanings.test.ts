import { atOnce } from "@voice/shared/platform/steps";
import { describe, expect, it } from "vitest";
import { ExampleMeanings } from "./example-meanings.ts";
import type { SentenceVector } from "./universal-sentence-encoder.ts";

function vector(...values: number[]): SentenceVector {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

const meaningsOf = (examples: Readonly<Record<string, readonly SentenceVector[]>>) =>
  atOnce(
    ExampleMeanings.from(
      Object.entries(examples).flatMap(([intent, vectors]) => vectors.map((one) => ({ intent, vector: one }))),
    ),
  );
const many = (count: number, make: (at: number) => SentenceVector): readonly SentenceVector[] =>
  Array.from({ length: count }, (_, at) => make(at));

describe("what an agent's examples mean", () => {
  // The first number is what all of them have in common: they are about a bank.
  const bank = {
    card: many(4, (at) => vector(3, 1, 0, at / 10)),
    balance: many(4, (at) => vector(3, 0, 1, at / 10)),
  };

  it("[EAR-67d] does not count what all of them have in common", () => {
    const likeness = meaningsOf(bank).likeness(vector(3, 0.1, 0.1, 1));
    expect(Math.max(...likeness.values())).toBeLessThan(0.4);
    expect(
      meaningsOf(bank)
        .likeness(vector(3, 1, 0.1, 0))
        .get("card"),
    ).toBeGreaterThan(0.7);
  });

  it("[EAR-67d] has an intent of few examples as near as one of many", () => {
    const uneven = meaningsOf({
      card: many(3, (at) => vector(0, 1, 0, at / 10)),
      balance: many(40, (at) => vector(0, 0.8, 1, Math.sin(at) / 2)),
    });
    const likeness = uneven.likeness(vector(0, 1, 0.3, 0));
    expect(likeness.get("card")).toBeGreaterThan(likeness.get("balance") ?? 0);
  });

  it("tells intents apart by the little in which they differ", () => {
    const alike = meaningsOf({
      block: many(4, (at) => vector(0, 2, 0.4, at / 5)),
      replace: many(4, (at) => vector(0, 2, -0.4, at / 5)),
    });
    const likeness = alike.likeness(vector(0, 2, 0.3, 0.3));
    expect((likeness.get("block") ?? 0) - (likeness.get("replace") ?? 0)).toBeGreaterThan(0.5);
  });

  it("is nothing without examples", () => {
    expect(meaningsOf({}).likeness(vector(1, 0)).size).toBe(0);
  });
});
