/**
 * Words that were only guessed: the caller is asked once whether they said them, before anything is done. After a yes they are treated as
 * if they had been understood at once; a no counts as words that were not understood. Rule TURN-16.
 */
import { doubtfulWords, withoutMarks } from "@voice/shared/conversation/doubtful-words";
import { likenessOf, same } from "../open-vocabulary/likeness.ts";
import { start } from "./carry-out.ts";
import { hear } from "./dialogue.ts";
import {
  answered,
  speak,
  type DialogueContext,
  type DialogueState,
  type DialogueStep,
  type Task,
} from "./dialogue-state.ts";
import { matchIntents, slotsInSentence } from "./match-intent.ts";
import { isRemark, questionAbout } from "./nearest-request.ts";
import { tokenise, withoutFillers } from "./compare-words.ts";
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
  if (isListenerSound(tokenise(words)) || asksAgain(words, context)) return speak(state, questionAbout(doubt));
  if (isYes(words)) return hear(sure, withoutMarks(doubt.guess), context);
  if (isBareNo(words)) return missed(sure, doubt.guess, context);
  const continued = continuedGuess(doubt.guess, words, context);
  if (typeof continued === "string") return askAbout(sure, continued);
  if (continued !== undefined) return start(continued, answered(sure), context);
  // Two such questions in a row would help nobody (TURN-16d).
  return hear({ ...sure, doubt: { ...doubt, isOpen: false } }, words, context);
}

function hearGuess({ doubt, ...sure }: DialogueState, guess: string, context: DialogueContext): DialogueStep {
  const wasAsked = doubt !== undefined && (doubt.isOpen || doubt.guess === guess);
  if (wasAsked || !isOfUse(guess, sure, context)) return missed(sure, guess, context);
  return askAbout(sure, guess);
}

/**
 * "No, skim milk": the request that was guessed, with another value in place of the one that the caller was asked about. "And sugar": a
 * longer guess, because the caller was still speaking.
 */
function continuedGuess(
  guess: string,
  words: string,
  { rules, todayMs, meanings }: DialogueContext,
): Task | string | undefined {
  if (doubtfulWords(guess).length === 0) return undefined;
  const [match] = matchIntents(rules, guess, todayMs, meanings);
  if (match === undefined) return undefined;
  const { intent, slots } = match;
  const doubtful = slotsInSentence(intent, doubtfulWords(guess).join(" and "), todayMs);
  const said = slotsInSentence(intent, words, todayMs);
  if (Object.keys(said).some((name) => doubtful[name] !== undefined))
    return { intent: intent.name, slots: { ...slots, ...said }, resume: [] };
  const isMore = Object.keys(said).length > 0 && Object.keys(said).every((name) => slots[name] === undefined);
  return isMore ? `${guess} ${words}` : undefined;
}

function askAbout(sure: DialogueState, guess: string): DialogueStep {
  const asked = { guess, isOpen: true };
  return speak({ ...sure, doubt: asked }, questionAbout(asked));
}

function missed(sure: DialogueState, guess: string, context: DialogueContext): DialogueStep {
  const { state, outcome } = hear(sure, "", context);
  return { state: { ...state, doubt: { guess, isOpen: false } }, outcome };
}

/** Shorter ones are answers in the question's own words: "checking or savings?" */
const fewestEchoedWords = 4;

/** The agent's own voice, which came back from a loudspeaker: "would you like to check your balance" as "i would like to check my balance". */
function isEcho(guess: string, { lastSaid }: DialogueState): boolean {
  if (tokenise(guess).length < fewestEchoedWords) return false;
  return lastSaid.split(/[.!?]/).some((sentence) => likenessOf(guess, sentence).words >= same);
}

/** A guess is not worth a question if it means nothing to this agent, or is only a "thank you". */
function isOfUse(guess: string, sure: DialogueState, context: DialogueContext): boolean {
  if (isEcho(guess, sure)) return false;
  const [match] = matchIntents(context.rules, guess, context.todayMs, context.meanings);
  if (match !== undefined && isRemark(match.intent, context.rules)) return false;
  const asked = sure.asked && { ...sure.asked, attempts: 1 };
  const { state } = hear({ ...sure, asked, misses: 0 }, withoutMarks(guess), context);
  return state.misses === 0 && state.doubt === undefined && (state.asked?.attempts ?? 1) === 1;
}

/** "What did you say?" */
export function asksAgain(utterance: string, context: DialogueContext): boolean {
  return matchIntents(context.rules, utterance, context.todayMs, context.meanings)[0]?.intent.action.type === "repeat";
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
