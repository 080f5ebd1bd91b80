/** What a caller asks for in one breath: usually one thing, sometimes "check my savings and block my debit card". */
import type { Intent } from "../rules/rules.ts";
import type { DialogueContext, LaterWish, Wish } from "./dialogue-state.ts";
import { matchIntents, type IntentMatch, type SlotValues } from "./match-intent.ts";
import { slotValues, type SlotValue } from "./slots.ts";
import { findDates } from "../spoken-english/read-dates.ts";
import type { NumberRun } from "../spoken-english/read-numbers.ts";
import { numbersMeant } from "../spoken-english/self-repair.ts";
import { tokenise, withoutFillers } from "./words.ts";

/** A wish beyond doubt: it may change the subject while a question is open, or split a sentence into two wishes. */
export const clearScore = 0.8;
/** Enough for the second of two wishes in a sentence, and for an answer that does not answer what was asked. */
export const likelyScore = 0.65;
/** A sentence that is nearly an example is one wish, whatever words it has. */
const wholeScore = 0.95;
const carriers = new Set(["it's", "it", "is", "that's", "that"]);
const joints = new Set(["and", "then", "also", "plus", "because", "but"]);
/** A sentence with more wishes than this is a story, whose rest is not acted upon. */
const maxWishes = 3;

/** Best first; intents whose handoff this conversation does not offer do not exist in it. */
export function matchesIn(utterance: string, context: DialogueContext): readonly IntentMatch[] {
  return matchIntents(context.rules, utterance, context.todayMs).filter(
    ({ intent: { action } }) => action.type !== "handoff" || context.handoff(action.to, "") !== undefined,
  );
}

/** In the order in which they are to be done: who is handed over does not come back for the rest. */
export function requestsIn(utterance: string, context: DialogueContext): readonly IntentMatch[] {
  const [whole] = matchesIn(utterance, context);
  const parts = partsOf(tokenise(utterance));
  if (parts.length < 2 || (whole !== undefined && whole.score >= wholeScore)) return whole === undefined ? [] : [whole];
  const likely = parts.flatMap((part) => {
    const [match] = matchesIn(part, context);
    return match === undefined || match.score < likelyScore ? [] : [match];
  });
  if (!likely.some(({ score }) => score >= clearScore)) return whole === undefined ? [] : [whole];
  const wishes = likely.filter(
    (wish, at) => likely.findIndex(({ intent, slots }) => intent === wish.intent && isSame(slots, wish.slots)) === at,
  );
  const [only] = wishes;
  if (only === undefined || (wishes.length === 1 && whole !== undefined)) return whole === undefined ? [] : [whole];
  const leaves = ({ intent }: IntentMatch): boolean => intent.action.type === "handoff";
  return [...wishes.filter((wish) => !leaves(wish)), ...wishes.filter(leaves)].slice(0, maxWishes);
}

export function later(wishes: readonly Wish[]): readonly LaterWish[] {
  return wishes.map(({ intent, slots }) => ({ intent, slots, regardless: true }));
}

/** "Checking and savings", "both": an intent that is about one choice only is done for each of them. */
export function furtherChoices(intent: Intent, utterance: string, todayMs: number): readonly SlotValue[] {
  const [slot] = intent.slots;
  if (slot?.type !== "choice" || intent.slots.length > 1) return [];
  const tokens = tokenise(utterance);
  if (!tokens.includes("and") && !tokens.includes("both")) return [];
  return slotValues(slot, tokens, todayMs).slice(1);
}

/** A code said before it is asked for. */
export function earlyDigits(intent: Intent, utterance: string, todayMs: number): SlotValues {
  return digitsAmong(codesIn(utterance, todayMs), intent);
}

/** A year and an amount of money are no codes, however many digits they have. */
export function codesIn(utterance: string, todayMs: number): readonly NumberRun[] {
  const tokens = tokenise(utterance);
  const dates = findDates(tokens, todayMs);
  return numbersMeant(tokens).filter(
    ({ start, end, isMoney }) => !isMoney && !dates.some((date) => start < date.end && date.start < end),
  );
}

/** Those codes that have as many digits as the intent's slots. */
export function digitsAmong(codes: readonly NumberRun[], intent: Intent): SlotValues {
  return Object.fromEntries(
    intent.slots.flatMap(({ name, type, length }) => {
      const code = type === "digits" && length !== undefined && codes.find(({ digits }) => digits.length === length);
      return code === false || code === undefined ? [] : [[name, code.digits]];
    }),
  );
}

/** "7296", "it's seven two nine six". */
export function isBareNumber(utterance: string): boolean {
  const tokens = withoutFillers(tokenise(utterance)).filter((token) => !carriers.has(token));
  const [number] = numbersMeant(tokens);
  return number !== undefined && number.start === 0 && number.end === tokens.length;
}

function partsOf(tokens: readonly string[]): readonly string[] {
  const parts: string[][] = [[]];
  for (const token of tokens) {
    if (joints.has(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0).map((part) => part.join(" "));
}

function isSame(left: SlotValues, right: SlotValues): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
