/**
 * Words that were only guessed: the caller is asked once whether they said them, before anything is done. After a yes they are treated as
 * if they had been understood at once; a no counts as words that were not understood. Rule TURN-16.
 */
import type { AgentRules, Intent } from "../rules/rules.ts";
import { hear } from "./dialogue.ts";
import { speak, type DialogueContext, type DialogueState, type DialogueStep } from "./dialogue-state.ts";
import { matchIntents } from "./match-intent.ts";
import { tokenise, withoutFillers } from "./words.ts";
import { isListenerSound } from "../spoken-english/listener-sounds.ts";
import { afterYesNo, readYesNo } from "../spoken-english/yes-no.ts";

/** "Yes, that is what I said", "no, I did not". */
const repeating = new Set(["that", "that's", "is", "what", "i", "did", "didn't", "said", "say", "it"]);

export interface Heard {
  /** Empty if nothing was understood. */
  readonly words: string;
  /** What the caller may have said in that case. */
  readonly guess: string | undefined;
}

export function hearCaller(state: DialogueState, { words, guess }: Heard, context: DialogueContext): DialogueStep {
  const { doubt, ...sure } = state;
  if (words === "" && guess !== undefined) return hearGuess(state, guess, context);
  if (doubt?.isOpen !== true) return hear(sure, words, context);
  if (isListenerSound(tokenise(words)) || asksAgain(words, context)) return speak(state, question(doubt.guess));
  if (isYes(words)) return hear(sure, doubt.guess, context);
  return isBareNo(words) ? missed(sure, doubt.guess, context) : hear(sure, words, context);
}

function hearGuess({ doubt, ...sure }: DialogueState, guess: string, context: DialogueContext): DialogueStep {
  const wasAsked = doubt !== undefined && (doubt.isOpen || doubt.guess === guess);
  if (wasAsked || !isOfUse(guess, sure, context)) return missed(sure, guess, context);
  return speak({ ...sure, doubt: { guess, isOpen: true } }, question(guess));
}

function missed(sure: DialogueState, guess: string, context: DialogueContext): DialogueStep {
  const { state, outcome } = hear(sure, "", context);
  return { state: { ...state, doubt: { guess, isOpen: false } }, outcome };
}

/** A guess is not worth a question if it means nothing to this agent, or is only a "thank you". */
function isOfUse(guess: string, sure: DialogueState, context: DialogueContext): boolean {
  const [match] = matchIntents(context.rules, guess, context.todayMs);
  if (match !== undefined && isRemark(match.intent, context.rules)) return false;
  const asked = sure.asked && { ...sure.asked, attempts: 1 };
  const { state } = hear({ ...sure, asked, misses: 0 }, guess, context);
  return state.misses === 0 && (state.asked?.attempts ?? 1) === 1;
}

/** A thank you, a greeting, "what was that?": asking about these would take longer than hearing them again. */
function isRemark({ name, action, aside }: Intent, { orientation }: AgentRules): boolean {
  return action.type === "repeat" || (action.type === "say" && aside === true && name !== orientation?.intent);
}

/** "What did you say?" */
export function asksAgain(utterance: string, context: DialogueContext): boolean {
  return matchIntents(context.rules, utterance, context.todayMs)[0]?.intent.action.type === "repeat";
}

export function isYes(words: string): boolean {
  return bareAnswer(words) === "yes";
}

export function isYesOrNo(words: string): boolean {
  return bareAnswer(words) !== undefined;
}

function isBareNo(words: string): boolean {
  return bareAnswer(words) === "no";
}

function bareAnswer(words: string): "yes" | "no" | undefined {
  const tokens = withoutFillers(tokenise(words));
  const verdict = afterYesNo(tokens).every((token) => repeating.has(token)) ? readYesNo(tokens) : undefined;
  return verdict === "both" ? undefined : verdict;
}

function question(guess: string): string {
  const sentence = guess.replaceAll(/\bi\b/g, "I");
  return `Did you say, "${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}"?`;
}
