/**
 * One agent's side of a conversation as a pure state machine: what the caller said, or what a tool answered, in; what to
 * say and which tool to call, out. It has no memory of its own; `replay.ts` folds the message history through it.
 */
import type { AgentRules, Intent, Slot } from "@voice/shared/catalog/rules";
import type { AwaitedAnswer } from "../../ports/recogniser.ts";
import {
  act,
  askAgain,
  confirmQuestion,
  escalate,
  findIntent,
  goOn,
  maxAttempts,
  scopeOf,
  spoken,
  start,
  withoutQuestion,
} from "./carry-out.ts";
import { changedSlots, isCorrection, isEllipsis, isEmpty } from "./corrections.ts";
import {
  answered,
  initialState,
  prefixed,
  speak,
  type Asked,
  type DialogueContext,
  type DialogueState,
  type DialogueStep,
  type Wish,
} from "./dialogue-state.ts";
import { slotsInSentence, type IntentMatch } from "./match-intent.ts";
import { asksAboutTheQuestion, questionFor, refuses } from "./open-question.ts";
import {
  clearScore,
  earlyDigits,
  furtherChoices,
  isBareNumber,
  later,
  likelyScore,
  matchesIn,
  requestsIn,
} from "./requests.ts";
import { joinedDigits, slotFromAnswer, type SlotValue } from "./slots.ts";
import { tokenise, withoutFillers } from "./words.ts";
import { afterYesNo, beginsWithYes, isConditional, readYesNo } from "./yes-no.ts";

/** "Five hundred dollars", "the debit card": hardly more than a value. */
const bareValueWords = 3;
const declinedWords = "All right. What else can I do for you?";
/** The second turn in a row that is not understood. */
const escalationMisses = 2;

export function hear(state: DialogueState, utterance: string, context: DialogueContext): DialogueStep {
  const { asked } = state;
  const intent = asked === undefined ? undefined : findIntent(context.rules, asked.intent);
  if (asked === undefined || intent === undefined) return understand(state, utterance, context);
  const digression = matchesIn(utterance, context).find(
    (match) => match.intent.name !== asked.intent && match.score >= clearScore,
  );
  const open = { asked, intent, utterance, digression };
  return asked.question === confirmQuestion ? hearConfirmation(state, open, context) : hearAnswer(state, open, context);
}

/** Just handed over: the caller expects an answer to what they said before, and must not be sent back at once. */
export function arrive(heard: readonly string[], previousAgent: string, context: DialogueContext): DialogueStep {
  const back = previousAgent.toLowerCase();
  for (const utterance of heard) {
    const wishes = requestsIn(utterance, context).filter(
      ({ intent: { action }, score }) =>
        score >= likelyScore && (action.type !== "handoff" || !action.to.some((agent) => agent.toLowerCase() === back)),
    );
    if (wishes.length > 0) return begin(wishes, utterance, initialState, context);
  }
  return speak(initialState, spoken(context.rules.arrival, scopeOf(context, {})));
}

/** What the open question asks for, where that tells a recogniser something. */
export function awaitedAnswer({ asked }: DialogueState, rules: AgentRules): AwaitedAnswer | undefined {
  if (asked === undefined) return undefined;
  const slot = findIntent(rules, asked.intent)?.slots.find(({ name }) => name === asked.question);
  return slot?.type === "digits" ? { type: "digits", length: slot.length } : undefined;
}

function understand(state: DialogueState, utterance: string, context: DialogueContext): DialogueStep {
  const tokens = withoutFillers(tokenise(utterance));
  const verdict = afterYesNo(tokens).length === 0 ? readYesNo(tokens) : undefined;
  if (state.offered !== undefined && verdict === "yes")
    return start({ ...state.offered, resume: [] }, answered(state), context);
  if (state.offered !== undefined && verdict === "no") return speak(answered(state), declinedWords);
  // A bare no says goodbye only to somebody who has asked for more.
  if (verdict === "no" && !state.lastSaid.endsWith("?"))
    return speak(answered(state), spoken(context.rules.arrival, scopeOf(context, {})));
  const wishes = requestsIn(utterance, context);
  const [wish] = wishes;
  const once = onceMore(state.last, utterance, wish, context);
  if (once !== undefined) return start({ ...once, resume: [] }, answered(state), context);
  if (wish !== undefined) return begin(wishes, utterance, answered(state), context, state.offered);
  const code = codeFor(utterance, context);
  if (code !== undefined) return start({ ...code, resume: [] }, answered(state), context);
  if (verdict === "yes") return speak(answered(state), spoken(context.rules.arrival, scopeOf(context, {})));
  const misses = state.misses + 1;
  if (misses < escalationMisses)
    return speak({ ...state, offered: undefined, misses }, spoken(context.rules.fallback, scopeOf(context, {})));
  return escalate(state, context);
}

/** Nothing but the digits of a code that one of the intents would ask for. */
function codeFor(utterance: string, context: DialogueContext): Wish | undefined {
  if (!isBareNumber(utterance)) return undefined;
  const wishes = context.rules.intents.flatMap((intent) => {
    const slots = earlyDigits(intent, utterance, context.todayMs);
    const isAsked = intent.slots.some(({ name, ask }) => ask !== undefined && slots[name] !== undefined);
    return isAsked ? [{ intent: intent.name, slots }] : [];
  });
  return wishes[0];
}

/** What was done last, with another value; unless the sentence clearly wants something else. */
function onceMore(
  last: Wish | undefined,
  utterance: string,
  match: IntentMatch | undefined,
  context: DialogueContext,
): Wish | undefined {
  const intent = last === undefined ? undefined : findIntent(context.rules, last.intent);
  if (last === undefined || intent === undefined) return undefined;
  if (match !== undefined && match.intent !== intent && match.score >= clearScore) return undefined;
  if (match === undefined && tokenise(utterance).length <= bareValueWords) {
    const said = slotsInSentence(intent, utterance, context.todayMs, last.slots);
    if (!isEmpty(said)) return { intent: last.intent, slots: { ...last.slots, ...said } };
  }
  if (!isCorrection(utterance) && !isEllipsis(utterance)) return undefined;
  const changed = changedSlots(intent, last.slots, utterance, context.todayMs);
  return isEmpty(changed) ? undefined : { intent: last.intent, slots: { ...last.slots, ...changed } };
}

interface Open {
  readonly asked: Asked;
  readonly intent: Intent;
  readonly utterance: string;
  /** Something else that the caller clearly wants. */
  readonly digression: IntentMatch | undefined;
}

function hearAnswer(state: DialogueState, open: Open, context: DialogueContext): DialogueStep {
  const { asked, intent, utterance, digression } = open;
  const tokens = withoutFillers(tokenise(utterance));
  const slot = intent.slots.find((candidate) => candidate.name === asked.question);
  if (slot?.type !== "text" && refuses(utterance)) return decline(open, state, context);
  if (slot?.help !== undefined && asked.attempts < maxAttempts && asksAboutTheQuestion(utterance))
    return prefixed(spoken(slot.help, scopeOf(context, asked.slots)), askAgain(state, slot.ask ?? "", context));
  const value = slot === undefined ? undefined : answerTo(slot, tokens, open, context);
  if (slot !== undefined && value !== undefined) {
    const others = slotsInSentence(intent, utterance, context.todayMs, asked.slots);
    const known = isCorrection(utterance) ? { ...asked.slots, ...others } : { ...others, ...asked.slots };
    const more = furtherChoices(intent, utterance, context.todayMs).filter((other) => other !== value);
    const resume = [...later(more.map((other) => wishFor(intent, slot, other))), ...asked.resume];
    return start({ intent: asked.intent, slots: { ...known, [slot.name]: value }, resume }, answered(state), context);
  }
  if (readYesNo(tokens) === "no" && afterYesNo(tokens).length === 0) return decline(open, state, context);
  if (digression !== undefined) return digress(digression, open, state, context);
  const changed = changedSlots(intent, asked.slots, utterance, context.todayMs);
  if (!isEmpty(changed)) return start({ ...asked, slots: { ...asked.slots, ...changed } }, answered(state), context);
  const likely = likelyIn(tokens, open, context);
  if (likely !== undefined) return digress(likely, open, state, context);
  const digits = slot?.type === "digits" ? joinedDigits(asked.digits, tokens, slot.length) : undefined;
  return askAgain(
    { ...state, asked: { ...asked, digits } },
    slot?.retry ?? slot?.ask ?? context.rules.fallback,
    context,
  );
}

function answerTo(
  slot: Slot,
  tokens: readonly string[],
  { asked, digression, utterance }: Open,
  context: DialogueContext,
): SlotValue | undefined {
  const isFreeText = slot.type === "name" || slot.type === "text";
  if (isFreeText && digression !== undefined) return undefined;
  // A story is written down as it was told.
  const value = slotFromAnswer(slot, slot.type === "text" ? tokenise(utterance) : tokens, context.todayMs);
  if (value !== undefined || slot.type !== "digits" || slot.length === undefined) return value;
  const joined = joinedDigits(asked.digits, tokens, slot.length);
  return joined?.length === slot.length ? joined : undefined;
}

function hearConfirmation(state: DialogueState, open: Open, context: DialogueContext): DialogueStep {
  const { asked, intent, utterance, digression } = open;
  const tokens = tokenise(utterance);
  const verdict = readYesNo(tokens);
  const rest = afterYesNo(withoutFillers(tokens));
  const isBare = verdict !== undefined && rest.length === 0;
  const changed = changedSlots(intent, asked.slots, utterance, context.todayMs);
  if (!isEmpty(changed) && digression === undefined)
    return start({ ...asked, slots: { ...asked.slots, ...changed } }, answered(state), context);
  const more =
    verdict === "yes" && !isBare && beginsWithYes(tokens) ? (digression ?? likelyIn(rest, open, context)) : undefined;
  if (more !== undefined && !isConditional(tokens)) {
    const resume = [...asked.resume, ...later([wishOf(more)])];
    return act({ ...asked, resume }, intent, answered(state), context);
  }
  if (verdict === "yes" && (isBare || (digression === undefined && !isConditional(tokens))))
    return act(asked, intent, answered(state), context);
  const wish = isBare
    ? undefined
    : (digression ?? (verdict === "yes" ? undefined : matchesIn(rest.join(" "), context)[0]));
  if (wish !== undefined && wish.intent.name !== intent.name) return digress(wish, open, state, context);
  if (verdict === "no") return decline(open, state, context);
  return askAgain(state, intent.confirm ?? context.rules.fallback, context);
}

/** Where the words are no answer: something else that the caller may want. */
function likelyIn(tokens: readonly string[], { asked }: Open, context: DialogueContext): IntentMatch | undefined {
  return matchesIn(tokens.join(" "), context).find(
    (match) => match.intent.name !== asked.intent && match.score >= likelyScore,
  );
}

function decline({ intent, asked }: Open, state: DialogueState, context: DialogueContext): DialogueStep {
  const words = intent.declined === undefined ? declinedWords : spoken(intent.declined, scopeOf(context, asked.slots));
  return goOn(words, asked, answered(state), context) ?? speak(answered(state), words);
}

/** The open question is dropped, except when the caller wants to hear it again or something in between. */
function digress(match: IntentMatch, open: Open, state: DialogueState, context: DialogueContext): DialogueStep {
  const { action, aside } = match.intent;
  if (action.type === "repeat") return begin([match], open.utterance, state, context);
  if (aside !== true) return begin([match], open.utterance, answered(state), context);
  if (action.type !== "say") {
    const { intent, slots, resume } = open.asked;
    const task = { ...wishOf(match), resume: [{ intent, slots, regardless: true }, ...resume] };
    return start(task, answered(state), context);
  }
  const words = spoken(action.say, scopeOf(context, match.slots));
  const remark = withoutQuestion(words);
  if (remark === words) return speak(state, words);
  return prefixed(
    remark,
    speak(state, spoken(questionFor(open.asked, open.intent, context.rules), scopeOf(context, open.asked.slots))),
  );
}

function begin(
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

function wishOf({ intent, slots }: IntentMatch): Wish {
  return { intent: intent.name, slots };
}

function wishFor(intent: Intent, slot: Slot, value: SlotValue): Wish {
  return { intent: intent.name, slots: { [slot.name]: value } };
}
