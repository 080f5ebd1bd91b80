import { describe, expect, it } from "vitest";
import { intent } from "../rule-model/fake-intent.ts";
import { matchIntents, prepareMatches } from "../rule-model/match-intent.ts";
import { noRules, type AgentRules } from "../rules/rules.ts";
import { fakeEncoder } from "./fake-encoder.ts";
import { AgentMeanings } from "./agent-meanings.ts";

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
const intentOf = (rules: AgentRules, utterance: string, meanings?: AgentMeanings): string | undefined =>
  matchIntents(rules, utterance, today, meanings)[0]?.intent.name;

describe("what a caller means", () => {
  it("[EAR-67] is found in other words than any example has", async () => {
    const [rules, meanings] = [desk(), new AgentMeanings(words())];
    await prepareMatches(rules, [missing], today, meanings);
    expect(intentOf(rules, missing)).toBeUndefined();
    expect(intentOf(rules, missing, meanings)).toBe("lost_card");
  });

  it("[EAR-67c] is not asked for where the words leave no doubt, or are fewer than three", async () => {
    const [rules, meanings] = [desk(), new AgentMeanings(words())];
    await prepareMatches(rules, ["i lost my card", "missing purse"], today, meanings);
    expect(meanings.likeness(rules, "i lost my card")).toBeUndefined();
    expect(meanings.likeness(rules, "missing purse")).toBeUndefined();
  });

  it("[EAR-67c] does not end a call or hand it over where no word says so", async () => {
    const [rules, meanings] = [desk(), new AgentMeanings(words())];
    const sentence = "we are finished here dear";
    await prepareMatches(rules, [sentence], today, meanings);
    expect(meanings.likeness(rules, sentence)?.get("goodbye")).toBeGreaterThan(0.4);
    expect(intentOf(rules, sentence, meanings)).toBeUndefined();
  });

  it("is encoded once, and each example once for all agents", async () => {
    const encoder = words();
    const meanings = new AgentMeanings(encoder);
    const [first, second] = [desk(), desk()];
    await meanings.prepare(first);
    await meanings.prepare(second);
    await prepareMatches(first, [missing], today, meanings);
    await prepareMatches(first, [missing], today, meanings);
    const sentences = encoder.asked.flat();
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(sentences).toContain(missing);
  });

  it("[EAR-68] is told by the words alone while the encoder fails, and encoded once it works again", async () => {
    const encoder = words();
    const [rules, meanings] = [desk(), new AgentMeanings(encoder)];
    encoder.isBroken = true;
    await prepareMatches(rules, [missing, "what is my balance"], today, meanings);
    expect(intentOf(rules, missing, meanings)).toBeUndefined();
    expect(intentOf(rules, "what is my balance", meanings)).toBe("balance");
    encoder.isBroken = false;
    await prepareMatches(rules, [missing], today, meanings);
    expect(intentOf(rules, missing, meanings)).toBe("lost_card");
  });
});
