/** Finds the requests in one sentence: usually one, sometimes two ("check my savings and block my debit card"). */
import type { Intent } from "../rules/rules.ts";
import type { DialogueContext, PendingRequest, IntentRequest } from "./dialogue-state.ts";
import { clearScore, matchIntents, type IntentMatch, type SlotValues } from "./match-intent.ts";
import { slotValues, type SlotValue } from "./slots.ts";
import { findDates } from "../spoken-english/read-dates.ts";
import type { NumberRun } from "../spoken-english/read-numbers.ts";
import { numbersMeant } from "../spoken-english/self-repair.ts";
import { tokenise, withoutFillers } from "./compare-words.ts";

/** Enough for the second of two requests in a sentence, and for words that do not answer the open question. */
export const likelyScore = 0.65;
/** A sentence this close to an example is a single request, whatever words it contains. */
const wholeScore = 0.95;
const carriers = new Set(["it's", "it", "is", "that's", "that"]);
const joints = new Set(["and", "then", "also", "plus", "because", "but"]);
/** The most requests taken from one sentence: one with more is a story rather than a list. */
const maxRequests = 3;

/** Best first, without intents whose handoff this conversation does not offer. */
export function matchesIn(utterance: string, context: DialogueContext): readonly IntentMatch[] {
  return matchIntents(context.rules, utterance, context.todayMs, context.meanings).filter(
    ({ intent: { action } }) => action.type !== "handoff" || context.handoff(action.to, "") !== undefined,
  );
}

/** In the order in which they are carried out: handoffs come last, because this agent cannot continue after one. */
export function requestsIn(utterance: string, context: DialogueContext): readonly IntentMatch[] {
  const [whole] = matchesIn(utterance, context);
  const parts = partsOf(tokenise(utterance));
  if (parts.length < 2 || (whole !== undefined && whole.score >= wholeScore)) return whole === undefined ? [] : [whole];
  const likely = parts.flatMap((part) => {
    const [match] = matchesIn(part, context);
    return match === undefined || match.score < likelyScore ? [] : [match];
  });
  if (!likely.some(({ score }) => score >= clearScore)) return whole === undefined ? [] : [whole];
  const requests = likely.filter(
    (request, at) =>
      likely.findIndex(({ intent, slots }) => intent === request.intent && isSame(slots, request.slots)) === at,
  );
  const [only] = requests;
  if (only === undefined || (requests.length === 1 && whole !== undefined)) return whole === undefined ? [] : [whole];
  const leaves = ({ intent }: IntentMatch): boolean => intent.action.type === "handoff";
  return [...requests.filter((request) => !leaves(request)), ...requests.filter(leaves)].slice(0, maxRequests);
}

export function later(requests: readonly IntentRequest[]): readonly PendingRequest[] {
  return requests.map(({ intent, slots }) => ({ intent, slots, regardless: true, isBesides: true }));
}

/** "Checking and savings", "both": an intent that takes one value of a choice is carried out for each of them. */
export function furtherChoices(intent: Intent, utterance: string, todayMs: number): readonly SlotValue[] {
  const [slot] = intent.slots;
  if (slot?.type !== "choice" || intent.slots.length > 1) return [];
  const tokens = tokenise(utterance);
  if (!tokens.includes("and") && !tokens.includes("both")) return [];
  return slotValues(slot, tokens, todayMs).slice(1);
}

/** A code given before it is asked for. */
export function earlyDigits(intent: Intent, utterance: string, todayMs: number): SlotValues {
  return digitsAmong(codesIn(utterance, todayMs), intent);
}

/** Years and amounts of money are not codes, whatever their number of digits. */
export function codesIn(utterance: string, todayMs: number): readonly NumberRun[] {
  const tokens = tokenise(utterance);
  const dates = findDates(tokens, todayMs);
  return numbersMeant(tokens).filter(
    ({ start, end, isMoney }) => !isMoney && !dates.some((date) => start < date.end && date.start < end),
  );
}

/** The codes that have as many digits as the intent's slots require. */
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
