/**
 * One agent's side of a conversation as a pure state machine: what the caller said, or what a tool answered, in; what to
 * say and which tool to call, out. It has no memory of its own; `replay.ts` folds the message history through it.
 */
import type { AgentRules } from "../rules/rules.ts";
import type { AwaitedAnswer } from "@voice/provider-kit/ports/recogniser";
import { begin } from "./begin.ts";
import { confirmQuestion, findIntent, scopeOf, spoken, start, withoutQuestion } from "./carry-out.ts";
import { changedSlots, isCorrection, isEllipsis, isEmpty } from "./corrections.ts";
import {
  answered,
  initialState,
  prefixed,
  speak,
  type DialogueContext,
  type DialogueState,
  type DialogueStep,
  type Wish,
} from "./dialogue-state.ts";
import { declinedWords, hearAnswer, hearConfirmation } from "./hear-answer.ts";
import { slotsInSentence, type IntentMatch } from "./match-intent.ts";
import { clearScore, codesIn, digitsAmong, isBareNumber, likelyScore, matchesIn, requestsIn } from "./requests.ts";
import { notUnderstood } from "./not-understood.ts";
import { tokenise, withoutFillers } from "./words.ts";
import { offersMore } from "../spoken-english/questions.ts";
import { afterYesNo, readYesNo } from "../spoken-english/yes-no.ts";

/** "Five hundred dollars", "the debit card": hardly more than a value. */
const bareValueWords = 3;

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
  // A bare no says goodbye only to somebody who has offered more: "could you say it another way?" has not.
  if (verdict === "no" && !offersMore(state.lastSaid))
    return speak(answered(state), spoken(context.rules.arrival, scopeOf(context, {})));
  const wishes = requestsIn(utterance, context);
  const [wish] = wishes;
  if (state.unheard !== undefined && (wish === undefined || isSmallTalk(wish)))
    return askUnheard(state.unheard, state, wish, context);
  if (wish?.intent.action.type === "repeat")
    return begin([wish], utterance, { ...answered(state), offered: state.offered }, context);
  const once = onceMore(state.last, utterance, wish, context);
  if (once !== undefined) return start({ ...once, resume: [] }, answered(state), context);
  if (wish !== undefined) return begin(wishes, utterance, answered(state), context, state.offered);
  const code = codeFor(utterance, context);
  if (code !== undefined) return start({ ...code, resume: [] }, answered(state), context);
  if (verdict === "yes") return speak(answered(state), spoken(context.rules.arrival, scopeOf(context, {})));
  return notUnderstood(state, utterance, context);
}

/** "Thank you", "hello?", "wait": said into something, and no wish. */
function isSmallTalk({ intent: { aside, action } }: IntentMatch): boolean {
  return aside === true && action.type === "say";
}

function askUnheard(
  question: string,
  state: DialogueState,
  remark: IntentMatch | undefined,
  context: DialogueContext,
): DialogueStep {
  const action = remark?.intent.action;
  const words =
    action?.type === "say" ? withoutQuestion(spoken(action.say, scopeOf(context, remark?.slots ?? {}))) : "";
  return prefixed(words, speak({ ...answered(state), offered: state.offered }, question));
}

/** Nothing but the digits of a code that one of the intents would ask for. */
function codeFor(utterance: string, context: DialogueContext): Wish | undefined {
  if (!isBareNumber(utterance)) return undefined;
  const codes = codesIn(utterance, context.todayMs);
  const wishes = context.rules.intents.flatMap((intent) => {
    const slots = digitsAmong(codes, intent);
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
