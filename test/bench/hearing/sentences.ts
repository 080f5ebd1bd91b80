/**
 * What the callers say: examples of the built-in agents, in two sets that share no sentence, and sentences that are no
 * wish at all. One set chooses the weights, the other measures them.
 */
import { rulesOf } from "@voice/local-voice/rules/rule-set";
import type { Agent } from "@voice/shared/catalog/agent";
import type { Catalog } from "@voice/shared/catalog/catalog";

export const sentenceSets = ["tuning", "held-out"] as const;
export type SentenceSet = (typeof sentenceSets)[number];

export interface WishSentence {
  readonly agent: Agent;
  /** Undefined for sentences on which no agent should act. */
  readonly intent: string | undefined;
  readonly text: string;
}

const agents = [
  "front-desk",
  "banking-concierge",
  "card-specialist",
  "fraud-specialist",
  "investment-advisor",
  "insurance-desk",
  "claims-intake",
  "policy-advisor",
];
const perAgent = 5;

const foreign: Readonly<Record<SentenceSet, readonly string[]>> = {
  tuning: [
    "purple rain on the mountain",
    "did you feed the cat this morning",
    "the train to Boston leaves at noon",
    "my brother plays the violin rather badly",
    "could you turn the music down a little",
    "there is a spider on the ceiling",
    "they painted the garden fence green",
    "what a beautiful sunset over the lake",
    "the dog has chewed my shoes again",
    "we could go to the cinema on friday",
    "is there any milk left in the fridge",
    "she moved to the country with her sister",
    "I think the wind is getting stronger",
    "the neighbours are having a party tonight",
    "who left the window open upstairs",
    "he was late because of the traffic",
  ],
  "held-out": [
    "somebody parked in front of our garage door",
    "we are having soup and bread for dinner",
    "the kids want to go swimming after school",
    "have you seen my glasses anywhere",
    "it has been raining all week long",
    "the old bridge was closed for repairs",
    "put the kettle on and sit down",
    "that film was far too long for me",
  ],
};

export function wishSentences(catalog: Catalog, set: SentenceSet): readonly WishSentence[] {
  const offset = sentenceSets.indexOf(set);
  return agents.flatMap((name) => {
    const agent = catalog.agents.get(name);
    if (agent === undefined) throw new Error(`no agent is called ${name}`);
    // Every intent is said once before one is said twice; each set begins at another example.
    const intents = rulesOf(agent).intents.filter(({ examples }) => examples.filter(isSayable).length > 1);
    const stride = Math.max(1, Math.floor(intents.length / perAgent));
    return Array.from({ length: perAgent }, (_, at) => {
      const { name: intent = "", examples = [] } = intents[(at * stride) % intents.length] ?? {};
      const sayable = examples.filter(isSayable);
      return { agent, intent, text: sayable[(at + offset * Math.ceil(sayable.length / 2)) % sayable.length] ?? "" };
    });
  });
}

export function foreignSentences(catalog: Catalog, set: SentenceSet): readonly WishSentence[] {
  const known = agents.flatMap((name) => catalog.agents.get(name) ?? []);
  return foreign[set].flatMap((text, at) => {
    const agent = known[at % known.length];
    return agent === undefined ? [] : [{ agent, intent: undefined, text }];
  });
}

/** Examples without a slot and with more than two words. Single words are measured separately. */
function isSayable(example: string): boolean {
  return !example.includes("{") && example.split(" ").length > 2;
}
