import { describe, expect, it } from "vitest";
import { weighMeaning, type Likenesses } from "./weigh-meaning.ts";

const scale = { acted: 0.55, asked: 0.42 };
const scores = (words: Record<string, number>, meaning: Record<string, number>): Likenesses =>
  weighMeaning(new Map(Object.entries(words)), new Map(Object.entries(meaning)), scale);

describe("words and meaning together", () => {
  it("[EAR-67] are acted upon where both have the same intent first", () => {
    expect(scores({ card: 0.5, balance: 0.2 }, { card: 0.6, balance: 0.2 }).get("card")).toBeGreaterThan(scale.acted);
  });

  it("[EAR-67] are acted upon where the meaning is near, and no word is", () => {
    expect(scores({}, { card: 0.85, balance: 0.35 }).get("card")).toBeGreaterThan(scale.acted);
  });

  it("[EAR-67a] are at most asked about where two intents are as near", () => {
    const both = scores({ card: 0.7, balance: 0.3 }, { card: 0.35, balance: 0.5 });
    expect(Math.max(...both.values())).toBeLessThan(scale.acted);
  });

  it("[EAR-67a] are nothing where nothing is near", () => {
    const all = [...scores({ card: 0.3 }, { card: 0.2, balance: 0.15 }).values()];
    expect(Math.max(...all)).toBeLessThan(scale.asked);
  });

  it("[EAR-67b] are never beyond doubt, and never below nothing", () => {
    const all = scores({ card: 0.79 }, { card: 1, balance: 0, mortgage: 0.1 });
    expect(all.get("card")).toBe(0.79);
    expect(all.get("balance")).toBe(0);
  });
});
