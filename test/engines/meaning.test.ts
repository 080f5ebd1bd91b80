/** The encoder of sentences itself, and what the built-in agents make of sentences in other words than their examples'. */
import { afterAll, describe, expect, it } from "vitest";
import { AgentMeanings } from "@voice/local-voice/meaning/agent-meanings";
import { createSentenceEncoder } from "@voice/local-voice/meaning/sentence-encoder";
import { matchIntents, nearIntents, prepareMatches } from "@voice/local-voice/rule-model/match-intent";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { rulesOf } from "@voice/local-voice/rules/rule-set";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";

const encoder = await createSentenceEncoder({ clock: systemClock, logger: silentLogger });
const meanings = encoder && new AgentMeanings(encoder);
const catalog = await loadCatalog(demoCatalogDirs, { tools: demoTools, mcpServers: [] }, { language: catalogLanguage });
const today = Date.UTC(2026, 2, 21);

afterAll(() => encoder?.close());

async function likeness(left: string, right: string): Promise<number> {
  const [one, other] = (await encoder?.encode([left, right])) ?? [];
  if (one === undefined || other === undefined) throw new Error("the encoder does not run on this machine");
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

/** What the agent does about a sentence, and the intent that it has in mind. */
async function understood(agent: string, sentence: string): Promise<{ act?: string; ask?: string }> {
  const found = catalog.agents.get(agent);
  if (found === undefined) throw new Error(`no agent ${agent}`);
  const rules = rulesOf(found);
  await prepareMatches(rules, [sentence], today, meanings);
  const [act] = matchIntents(rules, sentence, today, meanings);
  if (act !== undefined) return { act: act.intent.name };
  const [ask] = nearIntents(rules, sentence, today, meanings);
  return ask === undefined ? {} : { ask: ask.intent.name };
}

const inOtherWords = [
  ["front-desk", "no wait actually I lost my card yesterday", "card_help"],
  ["front-desk", "how much dough have I got", "check_balance"],
  ["front-desk", "my wallet got nicked on the bus", "card_help"],
  ["front-desk", "when do you open tomorrow", "opening_hours"],
  ["banking-concierge", "I need to wire money to my savings", "move_money"],
  ["banking-concierge", "what have I bought recently", "recent_transactions"],
  ["banking-concierge", "someone is stealing from my account", "fraud_help"],
  ["card-specialist", "freeze my credit card right now", "block_card"],
  ["card-specialist", "my card is cracked can I have a fresh one", "replace_card"],
  ["card-specialist", "what is the maximum I can spend on my card", "card_details"],
  ["insurance-desk", "I crashed my car into a tree", "new_claim"],
  ["insurance-desk", "someone broke into my apartment", "new_claim"],
  ["insurance-desk", "my tire blew out", "roadside"],
  ["policy-advisor", "is hail damage included in my plan", "coverage"],
  ["policy-advisor", "how much do I pay per month", "policy_details"],
] as const;

/** Of another domain, or of none. */
const foreign = [
  "somebody parked in front of our garage door",
  "we are having soup and bread for dinner",
  "the kids want to go swimming after school",
  "have you seen my glasses anywhere",
  "it has been raining all week long",
  "the old bridge was closed for repairs",
  "that film was far too long for me",
  "could I get a large cappuccino with oat milk please",
];

describe("the encoder of sentences", () => {
  // What the model's own engine makes of them (@energetic-ai/embeddings 0.2.0, which runs the same weights by TensorFlow).
  it.each([
    ["i want to talk to a person", "are you human", 0.4],
    ["my card went missing", "i lost my card", 0.77],
    ["what is my balance", "cancel my latte", 0.22],
  ])("has %s as near to %s as the original has", async (left, right, near) => {
    expect(await likeness(left, right)).toBeCloseTo(near, 1);
  });

  it("makes the same of a sentence alone and among others, of whatever length", async () => {
    const sentences = [
      "i lost my card",
      "what is my balance",
      "can you tell me when you open on a sunday in the spring",
    ];
    const together = (await encoder?.encode(sentences)) ?? [];
    for (const [at, sentence] of sentences.entries()) {
      const [alone] = (await encoder?.encode([sentence])) ?? [];
      const differences = alone?.map((value, place) => Math.abs(value - (together[at]?.[place] ?? 0))) ?? [1];
      expect(Math.max(...differences)).toBeLessThan(1e-6);
    }
  });

  it("[EAR-68] is left out, which is logged once, where it cannot be loaded", async () => {
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (_attributes: object, message: string) => warnings.push(message) };
    const workerUrl = new URL("./no-such-worker.ts", import.meta.url);
    expect(await createSentenceEncoder({ clock: systemClock, logger, workerUrl })).toBeUndefined();
    expect(warnings).toEqual(["sentences are compared by their words alone: their encoder cannot run on this machine"]);
  });
});

describe("the built-in agents, by words and meaning", () => {
  it("[EAR-67] act or ask rightly about most sentences in other words, and act wrongly on none", async () => {
    const outcomes = await Promise.all(
      inOtherWords.map(async ([agent, sentence, intent]) => ({ intent, ...(await understood(agent, sentence)) })),
    );
    expect(outcomes.filter(({ act, intent }) => act !== undefined && act !== intent)).toEqual([]);
    const right = outcomes.filter(({ act, ask, intent }) => (act ?? ask) === intent);
    expect(right.length).toBeGreaterThanOrEqual(13);
  });

  it("[EAR-67a] act on nothing that is of another domain", async () => {
    const acted = await Promise.all(
      foreign.flatMap((sentence) =>
        ["front-desk", "banking-concierge", "insurance-desk"].map(async (agent) => ({
          sentence,
          ...(await understood(agent, sentence)),
        })),
      ),
    );
    expect(acted.filter(({ act }) => act !== undefined)).toEqual([]);
  });

  it.each(["i do not want to talk to a person", "please do not connect me to a person"])(
    "[EAR-67c] connect nobody who says: %s",
    async (sentence) => {
      expect(await understood("front-desk", sentence)).toEqual({ act: "never_mind" });
    },
  );
});
