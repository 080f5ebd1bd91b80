import { describe, expect, it } from "vitest";
import { costByAgent, costInWords, costRows } from "./format-cost.ts";

const usd = (amount: number, isComplete = true) => ({ amount, currency: "USD", is_complete: isComplete });
const item = (agent: string, cost: ReturnType<typeof usd> | undefined, tokens = 1500) => ({
  part: "language_model",
  model: "gpt-x",
  agent,
  quantities: { input_tokens: tokens },
  cost,
  is_estimated: cost === undefined,
});

describe("costs in words", () => {
  it.each([
    [usd(0.0123), "$0.0123"],
    [usd(0), "$0.00"],
    [usd(2.5), "$2.50"],
    [usd(0.00001), "under $0.0001"],
    [usd(0.01, false), "$0.01 and more"],
  ])("%j is %s", (cost, words) => {
    expect(costInWords(cost)).toBe(words);
  });

  it("[COST-2a] [COST-2b] says that a part has no price, and that a sum lacks it", () => {
    expect(costByAgent([item("clerk", undefined)])).toEqual([{ agent: "clerk", cost: "not priced" }]);
    expect(costRows([item("clerk", usd(0.5)), item("desk", undefined)])).toEqual([
      {
        title: "Language model, gpt-x",
        amounts: "3,000 input tokens",
        cost: "$0.50 and more",
        isEstimated: true,
      },
    ]);
  });

  it("tells times apart from counts", () => {
    const speech = { ...item("clerk", usd(1)), part: "synthesis", quantities: { characters: 90, audio_seconds: 6.25 } };
    const call = {
      ...item("clerk", usd(1)),
      part: "telephony",
      model: "phone-inbound",
      quantities: { call_seconds: 90 },
    };
    expect(costRows([speech, call]).map(({ amounts }) => amounts)).toEqual([
      "90 characters, 6.3 s of audio",
      "1.5 min",
    ]);
  });
});
