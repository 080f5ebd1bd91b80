/**
 * One agent's dialogue as a pure state machine. Input: what the caller said or a tool returned. Output: what to say and
 * which tool to call. It keeps no state of its own; `replay.ts` folds the message history through it.
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
  type IntentRequest,
} from "./dialogue-state.ts";
import { declinedWords, hearAnswer, hearConfirmation } from "./hear-answer.ts";
import { clearScore, slotsInSentence, type IntentMatch } from "./match-intent.ts";
import { codesIn, digitsAmong, isBareNumber, likelyScore, matchesIn, requestsIn } from "./requests.ts";
import { notUnderstood } from "./not-understood.ts";
import { tokenise, withoutFillers } from "./compare-words.ts";
import { lastQuestion, offersMore } from "../spoken-english/questions.ts";
import { afterYesNo, readYesNo } from "../spoken-english/yes-no.ts";

/** "Five hundred dollars", "the debit card": little more than a value. */
const bareValueWords = 3;

export function hear(state: DialogueState, utterance: string, context: DialogueContext): DialogueStep {
  const { asked, unasked } = state;
  const intent = asked === undefined ? undefined : findIntent(context.rules, asked.intent);
  if (asked === undefined || intent === undefined) return understand(state, utterance, context);
  const open = { ...state, unasked: undefined };
  if (unasked !== undefined && isBareYes(utterance)) return speak(open, unasked);
  const digression = matchesIn(utterance, context).find(
    (match) => match.intent.name !== asked.intent && match.score >= clearScore,
  );
  const question = { asked, intent, utterance, digression };
  return asked.question === confirmQuestion
    ? hearConfirmation(open, question, context)
    : hearAnswer(open, question, context);
}

function isBareYes(utterance: string): boolean {
  const tokens = withoutFillers(tokenise(utterance));
  return readYesNo(tokens) === "yes" && afterYesNo(tokens).length === 0;
}

export interface Arrival {
  /** What the caller has asked for, newest first. */
  readonly heard: readonly string[];
  /** The agent that the caller had asked. */
  readonly previousAgent: string;
  /** What this agent has said so far; empty if it takes over silently. */
  readonly greeting: string;
}

/** Right after a handoff the caller expects an answer to what they said before, and must not be sent straight back. */
export function arrive({ heard, previousAgent, greeting }: Arrival, context: DialogueContext): DialogueStep {
  const back = previousAgent.toLowerCase();
  const [newest = "", ...before] = heard;
  if (before.length > 0 && isCorrection(newest)) {
    const { state } = arrive({ heard: before, previousAgent, greeting }, context);
    if (state.asked !== undefined) return hear(state, newest, context);
  }
  for (const utterance of heard) {
    const requests = requestsIn(utterance, context).filter(
      ({ intent: { action }, score }) =>
        score >= likelyScore && (action.type !== "handoff" || !action.to.some((agent) => agent.toLowerCase() === back)),
    );
    if (requests.length > 0) return begin(requests, utterance, initialState, context);
  }
  if (lastQuestion(greeting) !== undefined) return speak({ ...initialState, lastSaid: greeting }, "");
  return speak(initialState, spoken(context.rules.arrival, scopeOf(context, {})));
}

/** What the open question asks for, if that helps a recogniser. */
export function awaitedAnswer({ asked }: DialogueState, rules: AgentRules): AwaitedAnswer | undefined {
  if (asked === undefined) return undefined;
  const slot = findIntent(rules, asked.intent)?.slots.find(({ name }) => name === asked.question);
  if (slot?.type !== "digits") return undefined;
  const { length } = slot;
  const missing = length === undefined || asked.digits === undefined ? undefined : length - asked.digits.length;
  return { type: "digits", length, missing };
}

function understand(state: DialogueState, utterance: string, context: DialogueContext): DialogueStep {
  const tokens = withoutFillers(tokenise(utterance));
  const verdict = afterYesNo(tokens).length === 0 ? readYesNo(tokens) : undefined;
  if (state.offered !== undefined && verdict === "yes")
    return start({ ...state.offered, resume: [] }, answered(state), context);
  if (state.offered !== undefined && verdict === "no") return speak(answered(state), declinedWords);
  // A bare no means goodbye only after an offer of more help; "could you say it another way?" is not one.
  if (verdict === "no" && !offersMore(state.lastSaid)) return speak(answered(state), declinedWords);
  const question = lastQuestion(state.lastSaid);
  if (verdict === "both" && question !== undefined) return speak(state, `Was that a yes? ${question}`);
  const requests = requestsIn(utterance, context);
  const [request] = requests;
  if (state.unheard !== undefined && (request === undefined || isSmallTalk(request)))
    return askUnheard(state.unheard, state, request, context);
  const isRepetition = request?.intent.action.type === "repeat";
  if (isRepetition && isHandoff(state.offered, context))
    return start({ ...state.offered, resume: [] }, answered(state), context);
  if (isRepetition) return begin([request], utterance, { ...answered(state), offered: state.offered }, context);
  const once = onceMore(state.last, utterance, request, context);
  if (once !== undefined) return start({ ...once, resume: [] }, answered(state), context);
  if (request !== undefined) return begin(requests, utterance, answered(state), context, state.offered);
  const code = codeFor(utterance, context);
  if (code !== undefined) return start({ ...code, resume: [] }, answered(state), context);
  if (verdict === "yes") return speak(answered(state), spoken(context.rules.arrival, scopeOf(context, {})));
  return notUnderstood(state, utterance, context);
}

/** A caller who asks what was said while they were being handed over hears it again, and is then handed over. */
function isHandoff(offered: IntentRequest | undefined, { rules }: DialogueContext): offered is IntentRequest {
  return offered !== undefined && findIntent(rules, offered.intent)?.action.type === "handoff";
}

/** "Thank you", "hello?", "wait": interjections that are not requests. */
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

/** Only the digits of a code that one of the intents asks for. */
function codeFor(utterance: string, context: DialogueContext): IntentRequest | undefined {
  if (!isBareNumber(utterance)) return undefined;
  const codes = codesIn(utterance, context.todayMs);
  const requests = context.rules.intents.flatMap((intent) => {
    const slots = digitsAmong(codes, intent);
    const isAsked = intent.slots.some(({ name, ask }) => ask !== undefined && slots[name] !== undefined);
    return isAsked ? [{ intent: intent.name, slots }] : [];
  });
  return requests[0];
}

/** The last request with another value, unless the sentence clearly asks for something else. */
function onceMore(
  last: IntentRequest | undefined,
  utterance: string,
  match: IntentMatch | undefined,
  context: DialogueContext,
): IntentRequest | undefined {
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
