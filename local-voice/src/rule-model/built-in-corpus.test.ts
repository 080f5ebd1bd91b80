/**
 * Sentences that callers say to the built-in agents, as a recogniser transcribes them, with the intent that each must
 * match.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { catalogLanguage } from "../rules/catalog-language.ts";
import { rulesOf } from "../rules/rule-set.ts";
import { exampleWithValues } from "../rules/example-with-values.ts";
import { contextOfCall, memoryOfContext } from "@voice/shared/conversation/call-context";
import { matchIntents } from "./match-intent.ts";
import { talkTo, user } from "./rule-conversation.ts";

const catalog = await loadCatalog(demoCatalogDirs, { tools: demoTools, mcpServers: [] }, { language: catalogLanguage });
const agents = [...catalog.agents.values()];
const todayMs = Date.UTC(2026, 2, 21);

function intentOf(agent: string, utterance: string): string | undefined {
  const found = catalog.agents.get(agent);
  if (found === undefined) throw new Error(`no agent ${agent}`);
  return matchIntents(rulesOf(found), utterance, todayMs)[0]?.intent.name;
}

const examples = agents.flatMap((agent) =>
  rulesOf(agent).intents.flatMap((intent) =>
    intent.examples.map((example) => ({
      agent: agent.name,
      intent: intent.name,
      text: exampleWithValues(example, intent),
    })),
  ),
);

describe("the built-in agents", () => {
  it("take every example for its own intent", () => {
    expect(examples.filter(({ agent, intent, text }) => intentOf(agent, text) !== intent)).toEqual([]);
  });

  it("[OUT-6d] thank a caller for calling, and the person whom they called for their time", async () => {
    for (const found of agents.filter(({ tools }) => tools.includes("end_call"))) {
      const conversation = talkTo(rulesOf(found), { tools: ["end_call"] });
      const words = [user("goodbye")];
      expect(await conversation.answer(...words)).toContain("Thank you for calling. Goodbye.");
      for (const context of [{ purpose: "your new card" }, contextOfCall({ direction: "outbound", context: {} })])
        expect(await conversation.answerKnowing(memoryOfContext(context), words)).toContain(
          "Thank you for your time. Goodbye.",
        );
    }
  });

  it("are not put off by hesitation and politeness", () => {
    const hesitant = examples.map((example) => ({ ...example, text: `um hi well ${example.text} please` }));
    const wrong = hesitant.filter(({ agent, intent, text }) => intentOf(agent, text) !== intent);
    expect(wrong.length / hesitant.length).toBeLessThan(0.01);
  });

  it("rather ask again than misunderstand when a recogniser loses a word", () => {
    const torn = examples
      .filter(({ text }) => text.split(" ").length > 3)
      .flatMap((example) => {
        const words = example.text.split(" ");
        const lost = words.length % 3; // one of the first three words, because most of the meaning is at the end
        return [{ ...example, text: words.filter((_word, at) => at !== lost).join(" ") }];
      });
    const heard = torn.map(({ agent, intent, text }) => ({ intent, taken: intentOf(agent, text) }));
    const right = heard.filter(({ intent, taken }) => taken === intent).length;
    const wrong = heard.filter(({ intent, taken }) => taken !== undefined && taken !== intent).length;
    expect(right / heard.length).toBeGreaterThan(0.95);
    expect(wrong / heard.length).toBeLessThan(0.03);
  });

  it("understand sentences that are close to an example that they do not have", () => {
    // Removes the first example of every intent and says it to an agent that has only the others.
    const outcomes = agents.flatMap((agent) => {
      const rules = rulesOf(agent);
      const intents = rules.intents.map((intent) => Object.assign({}, intent, { examples: intent.examples.slice(1) }));
      return rules.intents.flatMap((intent) => {
        const [unseen] = intent.examples;
        if (unseen === undefined) return [];
        const [match] = matchIntents({ ...rules, intents }, exampleWithValues(unseen, intent), todayMs);
        return [match === undefined ? "asked" : match.intent.name === intent.name ? "right" : "wrong"];
      });
    });
    const share = (outcome: string): number => outcomes.filter((one) => one === outcome).length / outcomes.length;
    expect(share("right")).toBeGreaterThan(0.6);
    expect(share("wrong")).toBeLessThan(0.06);
  });

  it.each([
    ["front-desk", "yeah hi i would just like to check the balance on my savings account", "check_balance"],
    ["front-desk", "check balance", "check_balance"],
    ["front-desk", "checking my account balance", "check_balance"],
    ["front-desk", "how much money have i got in my checking account", "check_balance"],
    ["front-desk", "my card got stolen yesterday", "card_help"],
    ["front-desk", "i think i lost my debit card", "card_help"],
    ["front-desk", "can i speak to a human being please", "talk_to_person"],
    ["front-desk", "sorry could you say that again", "say_again"],
    ["front-desk", "no that's not all", "not_done"],
    ["front-desk", "i'm not done yet", "not_done"],
    ["front-desk", "no wait i am not done", "not_done"],
    ["front-desk", "but i have nothing else to pay with", "not_done"],
    ["front-desk", "i need my card i have nothing else", "not_done"],
    ["front-desk", "there is nothing else that i can do is there", "not_done"],
    ["front-desk", "is that all you can do for me", "not_done"],
    ["front-desk", "that is all of the money i have", "not_done"],
    ["front-desk", "i have nothing else thank you", "goodbye"],
    ["front-desk", "there is nothing else i need thanks", "goodbye"],
    ["front-desk", "that is all i wanted to know", "goodbye"],
    ["front-desk", "not really that is all", "goodbye"],
    ["front-desk", "no i'm good that's all", "goodbye"],
    ["front-desk", "cheers see you", "goodbye"],
    ["front-desk", "see you later", "goodbye"],
    ["front-desk", "i'm good", "goodbye"],
    ["front-desk", "no that's everything thanks a lot", "goodbye"],
    ["front-desk", "i'll call back later", "goodbye"],
    ["front-desk", "can you call me back later", "call_me_back"],
    ["front-desk", "hang on", "wait"],
    ["front-desk", "let me see", "wait"],
    ["front-desk", "good morning", "hello"],
    ["front-desk", "i want to open an account", "colleague"],
    ["front-desk", "i forgot my pin", "colleague"],
    ["front-desk", "i see", "acknowledge"],
    ["front-desk", "that's good", "acknowledge"],
    ["front-desk", "okay sounds good", "acknowledge"],
    ["front-desk", "i will do that", "acknowledge"],
    ["front-desk", "good idea", "acknowledge"],
    ["front-desk", "start over", "never_mind"],
    ["card-specialist", "go back to the front desk please", "other_business"],
    ["front-desk", "there's a payment i didn't make", "colleague"],
    ["front-desk", "get me a manager", "talk_to_person"],
    ["banking-concierge", "there's fraud on my account", "fraud_help"],
    ["banking-concierge", "am i overdrawn", "check_balance"],
    ["insurance-desk", "i'm from another insurer", "other_insurer"],
    ["front-desk", "i do not want to talk to a person", "never_mind"],
    ["front-desk", "please do not connect me to a person", "never_mind"],
    ["front-desk", "i don't want to talk to a machine", "talk_to_person"],
    ["front-desk", "i do not speak english", "talk_to_person"],
    ["card-specialist", "somebody stole my credit card", "block_card"],
    ["card-specialist", "can you send me a replacement card", "replace_card"],
    ["card-specialist", "what's my credit limit", "card_details"],
    ["card-specialist", "i am looking for a travel card", "card_offer"],
    ["card-specialist", "yes apply for it", "card_apply"],
    ["banking-concierge", "what did i spend my money on", "recent_transactions"],
    ["banking-concierge", "please refund the overdraft fee", "refund_fee"],
    ["banking-concierge", "somebody used my card without asking", "fraud_help"],
    ["banking-concierge", "how much is in my retirement account", "investment_help"],
    ["banking-concierge", "the code is four four one two seven eight", "check_code"],
    ["investment-advisor", "i want to take out two thousand dollars", "withdrawal_tax"],
    ["investment-advisor", "what can i do with my old retirement plan", "rollover"],
    ["fraud-specialist", "is there any strange activity on my account", "suspicious_activity"],
    ["fraud-specialist", "no that was not me", "dispute"],
    ["fraud-specialist", "please open a case", "open_case"],
    ["insurance-desk", "somebody hit my car this morning", "new_claim"],
    ["insurance-desk", "i am calling from another insurance company about a demand", "other_insurer"],
    ["insurance-desk", "i've got a flat tire", "roadside"],
    ["policy-advisor", "does my home policy cover a flood", "coverage"],
    ["policy-advisor", "what is the deductible on my car policy", "policy_details"],
    ["policy-advisor", "what about claim number five five zero one two seven", "claim_status"],
    ["claims-intake", "i had a car accident on monday", "report_claim"],
    ["claims-intake", "there was a fire in my house", "report_claim"],
    ["subrogation-desk", "did you receive our demand", "demand_status"],
    ["subrogation-desk", "the claim number is five five zero one two seven", "verify_claim"],
    ["subrogation-desk", "how much fault do you accept", "liability"],
  ])("%s: %s → %s", (agent, utterance, intent) => {
    expect(intentOf(agent, utterance)).toBe(intent);
  });

  it.each([
    "what is the weather in paris",
    "tell me a joke",
    "who won the game last night",
    "i want to order a pizza",
    "the quick brown fox",
    "can you play some music",
    "it is raining outside",
    "my dog is at home",
  ])("know that they do not know: %s", (utterance) => {
    expect(agents.filter((agent) => intentOf(agent.name.toLowerCase(), utterance) !== undefined)).toEqual([]);
  });

  it("use only words that the local recogniser's dictionary has", () => {
    const dictionary = join(dirname(createRequire(import.meta.url).resolve("soundswallower")), "model/en-us/dict.txt");
    const known = new Set(
      readFileSync(dictionary, "utf8")
        .split("\n")
        .map((line) => line.split(/\s/)[0]),
    );
    const words = new Set(
      agents.flatMap((agent) => agent.examples.flatMap((example) => example.replaceAll(/\{[^}]*\}/g, " ").split(" "))),
    );
    expect([...words].filter((word) => word !== "" && !known.has(word))).toEqual([]);
  });
});
