import { describe, expect, it } from "vitest";
import { intent } from "../rule-model/fake-intent.ts";
import { matchIntents, prepareMatches } from "../rule-model/match-intent.ts";
import { noRules, type AgentRules } from "../rules/rules.ts";
import { fakeEncoder } from "./fake-encoder.ts";
import { likenessInMeaning, prepareMeaning } from "./meaning-of-rules.ts";

const today = Date.UTC(2026, 2, 21);
const missing = "my wallet went missing yesterday";

function desk(): AgentRules {
  return {
    ...noRules,
    intents: [
      intent("lost_card", { examples: ["i lost my card", "my card is gone", "i cannot find my card"] }),
      intent("balance", { examples: ["what is my balance", "how much money do i have"] }),
      intent("goodbye", {
        examples: ["that is all for today", "goodbye for now thanks"],
        action: { type: "call", tool: "end_call", args: {} },
      }),
    ],
  };
}

const words = () =>
  fakeEncoder(
    ["card", "wallet", "purse"],
    ["lost", "gone", "missing", "find"],
    ["balance", "money"],
    ["goodbye", "finished"],
  );
const intentOf = (rules: AgentRules, utterance: string): string | undefined =>
  matchIntents(rules, utterance, today)[0]?.intent.name;

describe("what a caller means", () => {
  it("[EAR-67] is found in other words than any example has", async () => {
    const rules = desk();
    expect(intentOf(rules, missing)).toBeUndefined();
    await prepareMatches(rules, [missing], today, words());
    expect(intentOf(rules, missing)).toBe("lost_card");
  });

  it("[EAR-67c] is not asked for where the words leave no doubt, or are fewer than three", async () => {
    const encoder = words();
    const rules = desk();
    await prepareMatches(rules, ["i lost my card", "missing purse"], today, encoder);
    expect(likenessInMeaning(rules, "i lost my card")).toBeUndefined();
    expect(likenessInMeaning(rules, "missing purse")).toBeUndefined();
  });

  it("[EAR-67c] does not end a call or hand it over where no word says so", async () => {
    const rules = desk();
    const sentence = "we are finished here dear";
    await prepareMatches(rules, [sentence], today, words());
    expect(likenessInMeaning(rules, sentence)?.get("goodbye")).toBeGreaterThan(0.4);
    expect(intentOf(rules, sentence)).toBeUndefined();
  });

  it("encodes each example once for all agents, and each sentence once", async () => {
    const encoder = words();
    const [first, second] = [desk(), desk()];
    await prepareMeaning(first, encoder);
    await prepareMeaning(second, encoder);
    await prepareMatches(first, [missing], today, encoder);
    await prepareMatches(first, [missing], today, encoder);
    const sentences = encoder.asked.flat();
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(sentences).toContain(missing);
  });

  it("[EAR-68] is told by the words alone while the encoder fails, and encoded once it works again", async () => {
    const encoder = words();
    const rules = desk();
    encoder.isBroken = true;
    await prepareMatches(rules, [missing, "what is my balance"], today, encoder);
    expect(intentOf(rules, missing)).toBeUndefined();
    expect(intentOf(rules, "what is my balance")).toBe("balance");
    encoder.isBroken = false;
    await prepareMatches(rules, [missing], today, encoder);
    expect(intentOf(rules, missing)).toBe("lost_card");
  });
});
