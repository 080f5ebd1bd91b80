/** Handles questions in return: "why do you need that?", "I do not know". */
import type { AgentRules, Intent } from "../rules/rules.ts";
import { confirmQuestion } from "./carry-out.ts";
import type { Asked } from "./dialogue-state.ts";
import { tokenise } from "./words.ts";

const openings = [
  "why",
  "what for",
  "what do you need",
  "what do you mean",
  "what is that",
  "what's that",
  "what does that mean",
  "what are those",
  "i do not understand",
  "i don't understand",
  "i do not know",
  "i don't know",
  "i am not sure",
  "i'm not sure",
  "not sure",
  "no idea",
  "i have no idea",
  "i forgot",
  "i did not get it",
  "i didn't get it",
  "i did not get a",
  "i didn't get a",
  "i do not have",
  "i don't have",
  "where do i find",
  "where can i find",
  "how do i",
  "is it safe",
  "is that safe",
  "do i have to",
  "do you need",
  "which one",
  "who wants to know",
];

const refusals = [
  "i do not want to",
  "i don't want to",
  "i would rather not",
  "i'd rather not",
  "i will not",
  "i won't",
];

export function asksAboutTheQuestion(utterance: string): boolean {
  return hasOneOf(openings, utterance);
}

/** The caller does not want to say what was asked for. */
export function refuses(utterance: string): boolean {
  return hasOneOf(refusals, utterance);
}

function hasOneOf(phrases: readonly string[], utterance: string): boolean {
  const text = ` ${tokenise(utterance).join(" ")} `;
  return phrases.some((phrase) => text.includes(` ${phrase} `));
}

/** The question as it was asked first. */
export function questionFor(asked: Asked, intent: Intent, rules: AgentRules): string {
  if (asked.question === confirmQuestion) return intent.confirm ?? rules.fallback;
  return intent.slots.find(({ name }) => name === asked.question)?.ask ?? rules.fallback;
}
