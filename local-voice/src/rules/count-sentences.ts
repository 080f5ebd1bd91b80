/** What an agent's examples amount to, before anything is made of them: what a caller says is compared with all of it. */
import type { Steps } from "@voice/shared/platform/steps";
import { wordingsOf } from "./expand-examples.ts";
import { maxDifferentWords, maxSpokenSentences, maxSpokenWords } from "./rule-limits.ts";
import type { AgentRules, Intent } from "./rules.ts";

export interface TooMuchToSay {
  readonly intent: string;
  readonly message: string;
}

/** The intent with which the agent exceeds one of its limits; undefined if all fit. */
export function* tooMuchToSay(rules: AgentRules): Steps<TooMuchToSay | undefined> {
  let sentences = 0;
  let words = 0;
  const different = new Set<string>();
  for (const intent of rules.intents) {
    const texts = [...wordingsOf(intent), ...choicesOf(intent)];
    const own = texts.flatMap((text) => text.toLowerCase().trim().split(/\s+/));
    sentences += texts.length;
    words += own.length;
    if (sentences > maxSpokenSentences)
      return tooMany(intent, texts.length, maxSpokenSentences, "sentences and values");
    if (words > maxSpokenWords) return tooMany(intent, own.length, maxSpokenWords, "words");
    for (const word of own) different.add(word);
    if (different.size > maxDifferentWords)
      return {
        intent: intent.name,
        message: `with it the agent has more than ${maxDifferentWords} different words`,
      };
    yield;
  }
  return undefined;
}

function tooMany(intent: Intent, own: number, limit: number, what: string): TooMuchToSay {
  const message = `with the answers and corrections to them they are ${own} ${what}; an agent may have ${limit} in all`;
  return { intent: intent.name, message };
}

/** Every value of every choice counts once, however many examples have the choice. */
function choicesOf(intent: Intent): readonly string[] {
  return intent.slots.flatMap(({ options = {} }) => Object.values(options).flat());
}
