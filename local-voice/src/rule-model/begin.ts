/** A wish taken up: with what the sentence says about it, and what else the sentence wishes for. */
import type { Intent, Slot } from "../rules/rules.ts";
import { escalate, findIntent, start } from "./carry-out.ts";
import { isEmpty } from "./corrections.ts";
import type { DialogueContext, DialogueState, DialogueStep, Wish } from "./dialogue-state.ts";
import type { IntentMatch } from "./match-intent.ts";
import { earlyDigits, furtherChoices, later } from "./requests.ts";
import type { SlotValue } from "./slots.ts";

export function begin(
  [match, ...others]: readonly IntentMatch[],
  utterance: string,
  state: DialogueState,
  context: DialogueContext,
  offered?: Wish,
): DialogueStep {
  if (match === undefined) return escalate(state, context);
  const { intent } = match;
  // "I will take it": what was offered is known, whichever words take it up.
  const known = offered?.intent === intent.name ? offered.slots : {};
  const wish = { intent: intent.name, slots: { ...known, ...match.slots } };
  const [slot] = intent.slots;
  const choices = others.length > 0 || slot === undefined ? [] : furtherChoices(intent, utterance, context.todayMs);
  const more = slot === undefined ? [] : choices.map((choice) => wishFor(intent, slot, choice));
  const resume = later([...more, ...others.map(wishOf)]);
  const first = intent.first === undefined ? undefined : findIntent(context.rules, intent.first.intent);
  const early = first === undefined ? {} : earlyDigits(first, utterance, context.todayMs);
  const isNeeded = intent.first !== undefined && !context.memory[intent.first.unless];
  if (first !== undefined && isNeeded && !isEmpty(early))
    return start({ intent: first.name, slots: early, resume: [wish, ...resume] }, state, context);
  return start({ ...wish, resume }, state, context);
}

export function wishOf({ intent, slots }: IntentMatch): Wish {
  return { intent: intent.name, slots };
}

export function wishFor(intent: Intent, slot: Slot, value: SlotValue): Wish {
  return { intent: intent.name, slots: { [slot.name]: value } };
}
