/** Asks the open question again, and handles questions in return: "why do you need that?", "I do not know". */
import type { AgentRules, Intent } from "../rules/rules.ts";
import { isQuestion, withoutLeadIn } from "../spoken-english/questions.ts";
import { afterYesNo } from "../spoken-english/yes-no.ts";
import { askAgain, confirmQuestion, scopeOf, spoken } from "./carry-out.ts";
import {
  prefixed,
  speak,
  type Asked,
  type DialogueContext,
  type DialogueState,
  type DialogueStep,
} from "./dialogue-state.ts";
import { tokenise, withoutFillers } from "./compare-words.ts";

export interface OpenQuestion {
  readonly asked: Asked;
  readonly intent: Intent;
}

/** Words that join an answer and a question: "Yes, but what does it cost?" */
const joints = new Set(["but", "and", "so"]);

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

/** The open question as it was asked first, without the words that led to it. */
export function openQuestion({ asked, intent }: OpenQuestion, context: DialogueContext): string {
  const words = spoken(questionFor(asked, intent, context.rules), scopeOf(context, asked.slots));
  // What is read back for confirmation is part of the question.
  return asked.question === confirmQuestion ? words : withoutLeadIn(words);
}

/** Repeats the open question after the answer to what the caller asked in between. */
export function askAfter(
  words: string,
  open: OpenQuestion,
  state: DialogueState,
  context: DialogueContext,
): DialogueStep {
  const step = askAgain(state, questionFor(open.asked, open.intent, context.rules), context);
  const isAsked = step.state.asked !== undefined;
  return isAsked ? prefixed(words, speak(step.state, openQuestion(open, context))) : step;
}

/** The caller asked something that the agent does not know: its words for that, if the rules have any. */
export function unknownAnswer(utterance: string, context: DialogueContext): string | undefined {
  const { orientation } = context.rules;
  const rest = afterYesNo(withoutFillers(tokenise(utterance)));
  const question = rest.slice(rest.findIndex((token) => !joints.has(token)));
  if (orientation === undefined || !isQuestion(question, utterance) || asksAboutTheQuestion(utterance))
    return undefined;
  return spoken(orientation.offTopic, scopeOf(context, {}));
}

function questionFor(asked: Asked, intent: Intent, rules: AgentRules): string {
  if (asked.question === confirmQuestion) return intent.confirm ?? rules.fallback;
  const slot = intent.slots.find(({ name }) => name === asked.question);
  return slot?.ask ?? slot?.retry ?? rules.fallback;
}
