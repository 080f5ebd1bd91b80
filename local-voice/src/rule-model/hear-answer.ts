/**
 * Interprets what the caller says while a question is open: the answer, a correction, a question in return, or
 * something else.
 */
import type { Slot } from "../rules/rules.ts";
import { begin, requestFor, requestOf } from "./begin.ts";
import {
  act,
  askAgain,
  continueRegardless,
  maxAttempts,
  scopeOf,
  spoken,
  start,
  withoutQuestion,
} from "./carry-out.ts";
import { changedSlots, isCorrection, isEmpty } from "./corrections.ts";
import {
  answered,
  prefixed,
  speak,
  type DialogueContext,
  type DialogueState,
  type DialogueStep,
} from "./dialogue-state.ts";
import { slotsInSentence, type IntentMatch } from "./match-intent.ts";
import { askAfter, asksAboutTheQuestion, openQuestion, refuses, unknownAnswer } from "./open-question.ts";
import type { OpenQuestion } from "./open-question.ts";
import { furtherChoices, later, likelyScore, matchesIn } from "./requests.ts";
import { claimsIn, wordsFor } from "./slot-claims.ts";
import { joinedDigits, slotFromAnswer, type SlotValue } from "./slots.ts";
import { tokenise, withoutFillers } from "./compare-words.ts";
import { isListenerSound } from "../spoken-english/listener-sounds.ts";
import { afterYesNo, beginsWithYes, isConditional, readYesNo, withoutLeadingAnswer } from "../spoken-english/yes-no.ts";

export const declinedWords = "All right. What else can I do for you?";

export interface Open extends OpenQuestion {
  readonly utterance: string;
  /** A different request that is beyond doubt. */
  readonly digression: IntentMatch | undefined;
}

export function hearAnswer(state: DialogueState, open: Open, context: DialogueContext): DialogueStep {
  const { asked, intent, utterance, digression } = open;
  if (isListenerSound(tokenise(utterance))) return speak(state, openQuestion(open, context));
  const tokens = withoutFillers(tokenise(utterance));
  const slot = intent.slots.find((candidate) => candidate.name === asked.question);
  if (slot?.type !== "text" && refuses(utterance)) return decline(open, state, context);
  if (slot?.help !== undefined && asked.attempts < maxAttempts && asksAboutTheQuestion(utterance))
    return askAfter(spoken(slot.help, scopeOf(context, asked.slots)), open, state, context);
  const value = slot === undefined ? undefined : answerTo(slot, tokens, open, context);
  if (slot !== undefined && value !== undefined) {
    const others = slotsInSentence(intent, utterance, context.todayMs, asked.slots, slot.name);
    const known = isCorrection(utterance) ? { ...asked.slots, ...others } : { ...others, ...asked.slots };
    const more = furtherChoices(intent, utterance, context.todayMs).filter((other) => other !== value);
    const resume = [...later(more.map((other) => requestFor(intent, slot, other))), ...asked.resume];
    return start({ intent: asked.intent, slots: { ...known, [slot.name]: value }, resume }, answered(state), context);
  }
  const verdict = afterYesNo(tokens).length === 0 ? readYesNo(tokens) : undefined;
  if (verdict === "no") return decline(open, state, context);
  if (verdict === "both") return askAgain(state, questionFor(slot, context), context);
  if (digression !== undefined) return digress(digression, open, state, context);
  const changed = changedSlots(intent, asked.slots, utterance, context.todayMs);
  if (!isEmpty(changed)) return start({ ...asked, slots: { ...asked.slots, ...changed } }, answered(state), context);
  const likely = likelyIn(tokens, open, context);
  if (likely !== undefined) return digress(likely, open, state, context);
  const unknown = unknownAnswer(utterance, context);
  if (unknown !== undefined) return askAfter(unknown, open, state, context);
  const digits = slot?.type === "digits" ? joinedDigits(asked.digits, tokens, slot.length) : undefined;
  return askAgain({ ...state, asked: { ...asked, digits } }, questionFor(slot, context), context);
}

function questionFor(slot: Slot | undefined, { rules }: DialogueContext): string {
  return slot?.retry ?? slot?.ask ?? rules.fallback;
}

function answerTo(
  slot: Slot,
  tokens: readonly string[],
  { asked, intent, digression, utterance }: Open,
  context: DialogueContext,
): SlotValue | undefined {
  const isFreeText = slot.type === "name" || slot.type === "text";
  if (isFreeText && digression !== undefined) return undefined;
  // Free text is stored as it was said, and a name may be any words.
  const words =
    slot.type === "text"
      ? tokenise(utterance)
      : slot.type === "name"
        ? tokens
        : wordsFor(slot, claimsIn(intent, tokens, context.todayMs, slot.name), tokens);
  const value = slotFromAnswer(slot, words, context.todayMs);
  if (value !== undefined || slot.type !== "digits" || slot.length === undefined) return value;
  const joined = joinedDigits(asked.digits, tokens, slot.length);
  return joined?.length === slot.length ? joined : undefined;
}

export function hearConfirmation(state: DialogueState, open: Open, context: DialogueContext): DialogueStep {
  const { asked, intent, utterance, digression } = open;
  const tokens = tokenise(utterance);
  // This may be a yes or a cough, so nothing is carried out because of it.
  if (isListenerSound(tokens)) return speak(state, `Was that a yes? ${openQuestion(open, context)}`);
  const verdict = readYesNo(tokens);
  const rest = afterYesNo(withoutFillers(tokens));
  const isBare = verdict !== undefined && rest.length === 0;
  const changed = changedSlots(intent, asked.slots, utterance, context.todayMs);
  if (!isEmpty(changed) && digression === undefined)
    return start({ ...asked, slots: { ...asked.slots, ...changed } }, answered(state), context);
  const more =
    verdict === "yes" && !isBare && beginsWithYes(tokens) ? (digression ?? likelyIn(rest, open, context)) : undefined;
  if (more !== undefined && !isConditional(tokens)) {
    const resume = [...asked.resume, ...later([requestOf(more)])];
    return act({ ...asked, resume }, intent, answered(state), context);
  }
  if (verdict === "yes" && (isBare || (digression === undefined && !isConditional(tokens))))
    return act(asked, intent, answered(state), context);
  const besides = withoutLeadingAnswer(withoutFillers(tokens)).join(" ");
  const request = isBare ? undefined : (digression ?? (verdict === "yes" ? undefined : matchesIn(besides, context)[0]));
  if (request !== undefined && request.intent.name !== intent.name) return digress(request, open, state, context);
  if (verdict === "no") return decline(open, state, context);
  const unknown = unknownAnswer(utterance, context);
  if (unknown !== undefined) return askAfter(unknown, open, state, context);
  return askAgain(state, intent.confirm ?? context.rules.fallback, context);
}

/** If the words are not an answer: another request that they may be. */
function likelyIn(tokens: readonly string[], { asked }: Open, context: DialogueContext): IntentMatch | undefined {
  return matchesIn(tokens.join(" "), context).find(
    (match) => match.intent.name !== asked.intent && match.score >= likelyScore,
  );
}

function decline({ intent, asked }: Open, state: DialogueState, context: DialogueContext): DialogueStep {
  const words = intent.declined === undefined ? declinedWords : spoken(intent.declined, scopeOf(context, asked.slots));
  return continueRegardless(words, asked, answered(state), context) ?? speak(answered(state), words);
}

/** Drops the open question, unless the caller wants to hear it again or asks for an aside. */
function digress(match: IntentMatch, open: Open, state: DialogueState, context: DialogueContext): DialogueStep {
  const { action, aside } = match.intent;
  if (action.type === "repeat") return begin([match], open.utterance, state, context);
  if (aside !== true) return begin([match], open.utterance, answered(state), context);
  if (action.type !== "say") {
    const { intent, slots, resume } = open.asked;
    const task = { ...requestOf(match), resume: [{ intent, slots, regardless: true }, ...resume] };
    return start(task, answered(state), context);
  }
  const words = spoken(action.say, scopeOf(context, match.slots));
  const remark = withoutQuestion(words);
  if (remark === words) return speak(state, words);
  return prefixed(remark, speak(state, openQuestion(open, context)));
}
