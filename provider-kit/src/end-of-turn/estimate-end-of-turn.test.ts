import { describe, expect, it } from "vitest";
import type { TurnEvidence } from "@voice/provider-kit/ports/end-of-turn";
import { endOfTurnEstimator, longestWaitMs, shortestWaitMs } from "./estimate-end-of-turn.ts";

function estimate(evidence: Partial<TurnEvidence>) {
  return endOfTurnEstimator.estimate({
    text: "the green one",
    isFinal: false,
    sentence: undefined,
    expected: { kind: "nothing" },
    prosody: undefined,
    pauses: { count: 0, longestMs: 0 },
    middleMs: 500,
    ...evidence,
  });
}

describe("end-of-turn estimator", () => {
  it("waits between a third and three times the middle, and never less than the pauses between two words", () => {
    const texts = ["yes", "i want to", "um", "the green one", "my number is four", "tell me about it", ""];
    for (const text of texts)
      for (const middleMs of [200, 500, 900, 3000]) {
        const { waitMs, probability } = estimate({ text, middleMs });
        expect(probability).toBeGreaterThan(0);
        expect(probability).toBeLessThan(1);
        expect(waitMs).toBeGreaterThanOrEqual(Math.max(shortestWaitMs, Math.floor(middleMs / 3.2)));
        expect(waitMs).toBeLessThanOrEqual(Math.max(longestWaitMs, middleMs));
      }
  });

  it.each([
    ["a whole sentence of those that are expected", { sentence: "whole" }, "whole_sentence"],
    ["a short answer", { text: "no thank you" }, "short_answer"],
    [
      "all the digits that were asked for",
      { text: "seven two nine six", expected: { kind: "digits", length: 4 } },
      "asked_for",
    ],
    [
      "one of the things that were offered",
      { text: "my savings", expected: { kind: "choice", words: new Set(["checking", "or", "savings"]) } },
      "asked_for",
    ],
  ] as const)("is quick with %s", (_what, evidence, reason) => {
    const { waitMs, reasons } = estimate(evidence);
    expect(waitMs).toBeLessThanOrEqual(200);
    expect(reasons[0]).toBe(reason);
  });

  it.each([
    ["the beginning of an expected sentence", { sentence: "beginning" }, "beginning_of_sentence"],
    ["a hesitation", { text: "i want um" }, "hesitation"],
    ["a code that is not whole", { text: "seven two", expected: { kind: "digits", length: 4 } }, "digits_missing"],
    ["a code of unknown length", { text: "my number is four one two" }, "digits_missing"],
    ["a spelled name", { text: "my name is b r" }, "digits_missing"],
    ["a conjunction", { text: "i lost my card and" }, "open_text"],
    ["an article", { text: "could you send me the" }, "open_text"],
  ] as const)("is patient with %s", (_what, evidence, reason) => {
    const { waitMs, reasons } = estimate(evidence);
    expect(waitMs).toBeGreaterThanOrEqual(1200);
    expect(reasons[0]).toBe(reason);
  });

  it("takes what a service has settled and punctuated sooner", () => {
    const heard = { text: "The weather is fine in Rome.", isFinal: true };
    expect(estimate(heard).waitMs).toBeLessThan(estimate({ ...heard, isFinal: false }).waitMs);
  });

  it("waits longer for who has paused in the middle of sentences before", () => {
    const habit = { pauses: { count: 3, longestMs: 700 } };
    expect(estimate({ ...habit, sentence: "whole" }).waitMs).toBeGreaterThan(estimate({ sentence: "whole" }).waitMs);
  });
});
