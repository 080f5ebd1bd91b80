/** Begins a request: with the values that the sentence gives, and with any further request in the same sentence. */
import type { Intent, Slot } from "../rules/rules.ts";
import { ask, escalate, findIntent, start } from "./carry-out.ts";
import { isEmpty } from "./corrections.ts";
import type { DialogueContext, DialogueState, DialogueStep, IntentRequest } from "./dialogue-state.ts";
import type { IntentMatch, SlotValues } from "./match-intent.ts";
import { codesIn, earlyDigits, furtherChoices, later } from "./requests.ts";
import type { SlotValue } from "./slots.ts";

export function begin(
  [match, ...others]: readonly IntentMatch[],
  utterance: string,
  state: DialogueState,
  context: DialogueContext,
  offered?: IntentRequest,
): DialogueStep {
  if (match === undefined) return escalate(state, context);
  const { intent } = match;
  // "I will take it": accepting an offer keeps the offer's slots, whichever words are used.
  const known = offered?.intent === intent.name ? offered.slots : {};
  const request = { intent: intent.name, slots: { ...known, ...match.slots } };
  const [slot] = intent.slots;
  const choices = others.length > 0 || slot === undefined ? [] : furtherChoices(intent, utterance, context.todayMs);
  const more = slot === undefined ? [] : choices.map((choice) => requestFor(intent, slot, choice));
  const resume = later([...more, ...others.map(requestOf)]);
  const first = intent.first === undefined ? undefined : findIntent(context.rules, intent.first.intent);
  const early = first === undefined ? {} : earlyDigits(first, utterance, context.todayMs);
  const isNeeded = intent.first !== undefined && !context.memory[intent.first.unless];
  if (first !== undefined && isNeeded && !isEmpty(early))
    return start({ intent: first.name, slots: early, resume: [request, ...resume] }, state, context);
  const cut = isNeeded ? undefined : cutCode(intent, match.slots, utterance, context.todayMs);
  if (cut === undefined) return start({ ...request, resume }, state, context);
  const { slot: code, digits } = cut;
  return ask({ ...request, resume, question: code.name, attempts: 1, digits }, code.retry ?? "", state, context);
}

/** Fewer digits are a count ("two cards") rather than a part of a code. */
const fewestDigits = 3;

/** A code of the wrong length is asked for again: a different value, which memory may hold, is not what the caller means. */
function cutCode(
  { slots }: Intent,
  given: SlotValues,
  utterance: string,
  todayMs: number,
): { readonly slot: Slot; readonly digits: string } | undefined {
  const slot = slots.find(
    ({ type, length, retry }) => type === "digits" && length !== undefined && retry !== undefined,
  );
  if (slot?.length === undefined || given[slot.name] !== undefined) return undefined;
  const code = codesIn(utterance, todayMs).find(({ digits }) => digits.length >= fewestDigits);
  return code === undefined || code.digits.length === slot.length ? undefined : { slot, digits: code.digits };
}

export function requestOf({ intent, slots }: IntentMatch): IntentRequest {
  return { intent: intent.name, slots };
}

export function requestFor(intent: Intent, slot: Slot, value: SlotValue): IntentRequest {
  return { intent: intent.name, slots: { [slot.name]: value } };
}
