/**
 * One agent's side of a conversation as a pure state machine: what the caller said, or what a tool answered, in; what to
 * say and which tool to call, out. It has no memory of its own; `replay.ts` folds the message history through it.
 */
import type { AgentRules, FollowUp, Intent, IntentAction } from "@voice/shared/catalog/rules";
import { renderTemplate, renderValue } from "@voice/shared/catalog/template";
import {
  initialState,
  type DialogueContext,
  type DialogueState,
  type DialogueStep,
  type Task,
} from "./dialogue-state.ts";
import { contextOf } from "@voice/shared/conversation/call-context";
import type { AwaitedAnswer } from "../../ports/recogniser.ts";
import { matchIntents, slotsInSentence, type IntentMatch, type SlotValues } from "./match-intent.ts";
import { slotFromAnswer, type SlotValue } from "./slots.ts";
import { tokenise, withoutFillers } from "./words.ts";
import { afterYesNo, readYesNo } from "./yes-no.ts";

const confirmQuestion = "?confirm";
/** After so many answers that made no sense the agent stops asking and escalates. */
const maxAttempts = 3;
/** While a question is open, only a clear wish for something else changes the subject. */
const digressionScore = 0.8;
/** `first` and `next` may chain; a catalog in which they go in circles must not hang a call. */
const maxChain = 6;
/** The second turn in a row that is not understood. */
const escalationMisses = 2;

export function hear(state: DialogueState, utterance: string, context: DialogueContext): DialogueStep {
  const { asked } = state;
  const intent = asked === undefined ? undefined : findIntent(context.rules, asked.intent);
  if (asked === undefined || intent === undefined) return understand(state, utterance, context);
  const tokens = withoutFillers(tokenise(utterance));
  const digression = available(matchIntents(context.rules, utterance, context.todayMs), context).find(
    (match) => match.intent.name !== asked.intent && match.score >= digressionScore,
  );
  if (asked.question === confirmQuestion)
    return hearConfirmation(state, { ...asked, tokens, utterance, digression }, intent, context);
  const slot = intent.slots.find((candidate) => candidate.name === asked.question);
  const freeText = slot?.type === "name" || slot?.type === "text";
  const value =
    slot === undefined || (freeText && digression !== undefined)
      ? undefined
      : slotFromAnswer(slot, tokens, context.todayMs);
  if (slot !== undefined && value !== undefined) {
    const others = slotsInSentence(intent, utterance, context.todayMs);
    return start({ ...asked, slots: { ...others, ...asked.slots, [slot.name]: value } }, answered(state), context);
  }
  if (readYesNo(tokens) === "no" && afterYesNo(tokens).length === 0)
    return decline(intent, asked.slots, state, context);
  if (digression !== undefined) return digress(digression, state, context);
  return askAgain(state, slot?.retry ?? slot?.ask ?? context.rules.fallback, context);
}

/** The tool of the running task answered. */
export function hearTool(
  state: DialogueState,
  tool: { readonly name: string; readonly result: Readonly<Record<string, unknown>> },
  context: DialogueContext,
): DialogueStep {
  const task = state.calling ?? taskForTool(context.rules, tool.name);
  const intent = task === undefined ? undefined : findIntent(context.rules, task.intent);
  const settled: DialogueState = { ...state, calling: undefined };
  const message = typeof tool.result["message"] === "string" ? tool.result["message"] : undefined;
  if (task === undefined || intent === undefined)
    return speak(settled, state.calling === undefined ? (message ?? "") : "");
  const succeeded = tool.result["success"] !== false;
  const followUp = succeeded ? intent.after.success : failureFollowUp(intent, tool.result);
  const scope = { ...scopeOf(context, task.slots), result: tool.result, resuming: task.resume.length > 0 };
  const said = followUp?.say === undefined ? undefined : spoken(followUp.say, scope);
  if (!succeeded) {
    const words = said ?? message ?? "Sorry, that did not work.";
    if (followUp?.next === undefined) return speak(settled, words);
    return prefixed(words, start({ intent: followUp.next, slots: {}, resume: task.resume }, settled, context));
  }
  const alreadySpoken = intent.action.type !== "repeat" && intent.action.say !== undefined;
  const words = said ?? (alreadySpoken ? "" : (message ?? ""));
  const [next, ...resume] = task.resume;
  if (followUp?.next !== undefined)
    return prefixed(words, start({ intent: followUp.next, slots: task.slots, resume: task.resume }, settled, context));
  if (next !== undefined) return prefixed(words, start({ ...next, resume }, settled, context, new Set([intent.name])));
  return speak(settled, words);
}

/** Just handed over: the caller expects an answer to what they said before, and must not be sent back at once. */
export function arrive(utterance: string, previousAgent: string, context: DialogueContext): DialogueStep {
  const back = previousAgent.toLowerCase();
  const match = available(matchIntents(context.rules, utterance, context.todayMs), context).find(
    ({ intent: { action } }) => action.type !== "handoff" || !action.to.some((agent) => agent.toLowerCase() === back),
  );
  if (match !== undefined) return begin(match, initialState, context);
  return speak(initialState, spoken(context.rules.arrival, scopeOf(context, {})));
}

/** What the open question asks for, where that tells a recogniser something. */
export function awaitedAnswer({ asked }: DialogueState, rules: AgentRules): AwaitedAnswer | undefined {
  if (asked === undefined) return undefined;
  const slot = findIntent(rules, asked.intent)?.slots.find(({ name }) => name === asked.question);
  return slot?.type === "digits" ? { type: "digits", length: slot.length } : undefined;
}

function understand(state: DialogueState, utterance: string, context: DialogueContext): DialogueStep {
  const [match] = available(matchIntents(context.rules, utterance, context.todayMs), context);
  if (match !== undefined) return begin(match, answered(state), context);
  const misses = state.misses + 1;
  if (misses < escalationMisses)
    return speak({ ...state, misses }, spoken(context.rules.fallback, scopeOf(context, {})));
  return escalate(state, context);
}

interface Confirmation extends Task {
  readonly tokens: readonly string[];
  readonly utterance: string;
  readonly digression: IntentMatch | undefined;
}

function hearConfirmation(
  state: DialogueState,
  answer: Confirmation,
  intent: Intent,
  context: DialogueContext,
): DialogueStep {
  const verdict = readYesNo(tokenise(answer.utterance));
  const rest = afterYesNo(answer.tokens).join(" ");
  const isBare = verdict !== undefined && rest === "";
  if (verdict === "yes" && (isBare || answer.digression === undefined))
    return act(answer, intent, answered(state), context);
  const wish = isBare
    ? undefined
    : (answer.digression ?? available(matchIntents(context.rules, rest, context.todayMs), context)[0]);
  if (wish !== undefined && wish.intent.name !== intent.name) return digress(wish, state, context);
  if (verdict === "no") return decline(intent, answer.slots, state, context);
  return askAgain(state, intent.confirm ?? context.rules.fallback, context);
}

function decline(intent: Intent, slots: SlotValues, state: DialogueState, context: DialogueContext): DialogueStep {
  const words = intent.declined ?? "All right. What else can I do for you?";
  return speak(answered(state), spoken(words, scopeOf(context, slots)));
}

/** The open question is dropped, except when the caller only wants to hear it again. */
function digress(match: IntentMatch, state: DialogueState, context: DialogueContext): DialogueStep {
  return begin(match, match.intent.action.type === "repeat" ? state : answered(state), context);
}

function begin(match: IntentMatch, state: DialogueState, context: DialogueContext): DialogueStep {
  return start({ intent: match.intent.name, slots: match.slots, resume: [] }, state, context);
}

/** Asks for what is missing, does what comes first, or acts. `done` are intents whose `first` condition was just met. */
function start(
  task: Task,
  state: DialogueState,
  context: DialogueContext,
  done: ReadonlySet<string> = new Set(),
): DialogueStep {
  const intent = findIntent(context.rules, task.intent);
  if (intent === undefined || task.resume.length > maxChain) return escalate(state, context);
  const { first } = intent;
  if (first !== undefined && !done.has(first.intent) && !isSet(context.memory[first.unless])) {
    const resume = [{ intent: task.intent, slots: task.slots }, ...task.resume];
    return start({ intent: first.intent, slots: {}, resume }, state, context);
  }
  const slots = filledSlots(intent, task.slots, context);
  const missing = intent.slots.find((slot) => slot.ask !== undefined && slots[slot.name] === undefined);
  const filled = { ...task, slots };
  if (missing?.ask !== undefined)
    return ask({ ...filled, question: missing.name, attempts: 1 }, missing.ask, state, context);
  if (intent.confirm !== undefined)
    return ask({ ...filled, question: confirmQuestion, attempts: 1 }, intent.confirm, state, context);
  return act(filled, intent, state, context);
}

function act(task: Task, intent: Intent, state: DialogueState, context: DialogueContext): DialogueStep {
  return perform(intent.action, { intent: task.intent, slots: task.slots, resume: task.resume }, state, context);
}

function perform(action: IntentAction, task: Task, state: DialogueState, context: DialogueContext): DialogueStep {
  const scope = scopeOf(context, task.slots);
  switch (action.type) {
    case "say":
      return speak(state, spoken(action.say, scope));
    case "repeat":
      return speak(state, state.lastSaid === "" ? spoken(context.rules.arrival, scope) : state.lastSaid);
    case "handoff": {
      const call = context.handoff(action.to, spoken(action.reason, scope));
      if (call === undefined) return escalate(state, context);
      return { state: { ...state, calling: task }, outcome: { say: spoken(action.say ?? "", scope), call } };
    }
    case "call": {
      const args = Object.fromEntries(
        Object.entries(action.args)
          .map(([name, template]) => [name, renderValue(template, scope)] as const)
          .filter(([, value]) => isSet(value)),
      );
      return {
        state: { ...state, calling: task },
        outcome: { say: spoken(action.say ?? "", scope), call: { tool: action.tool, args } },
      };
    }
    default:
      return action satisfies never;
  }
}

function ask(
  asked: NonNullable<DialogueState["asked"]>,
  question: string,
  state: DialogueState,
  context: DialogueContext,
): DialogueStep {
  return speak({ ...state, asked }, spoken(question, scopeOf(context, asked.slots)));
}

function askAgain(state: DialogueState, question: string, context: DialogueContext): DialogueStep {
  const { asked } = state;
  if (asked === undefined || asked.attempts >= maxAttempts) return escalate(state, context);
  return ask({ ...asked, attempts: asked.attempts + 1 }, question, state, context);
}

function escalate(state: DialogueState, context: DialogueContext): DialogueStep {
  const action = context.rules.escalation;
  const cleared = answered(state);
  if (action.type === "handoff" && context.handoff(action.to, action.reason) === undefined)
    return speak(cleared, spoken(context.rules.fallback, scopeOf(context, {})));
  return perform(action, { intent: "", slots: {}, resume: [] }, cleared, context);
}

function answered(state: DialogueState): DialogueState {
  return { misses: 0, lastSaid: state.lastSaid };
}

function speak(state: DialogueState, say: string): DialogueStep {
  return { state, outcome: { say } };
}

function prefixed(words: string, step: DialogueStep): DialogueStep {
  return {
    ...step,
    outcome: { ...step.outcome, say: [words, step.outcome.say].filter((part) => part !== "").join(" ") },
  };
}

function failureFollowUp(intent: Intent, result: Readonly<Record<string, unknown>>): FollowUp | undefined {
  const code = result["error"];
  return (typeof code === "string" ? intent.after.errors?.[code] : undefined) ?? intent.after.failure;
}

function filledSlots(intent: Intent, given: SlotValues, context: DialogueContext): SlotValues {
  const filled: Record<string, SlotValue> = { ...given };
  for (const slot of intent.slots) {
    if (filled[slot.name] !== undefined) continue;
    const remembered = slot.memory === undefined ? undefined : context.memory[slot.memory];
    const value = typeof remembered === "string" || typeof remembered === "number" ? remembered : slot.fallback;
    if (value !== undefined) filled[slot.name] = value;
  }
  return filled;
}

/** Intents whose handoff this conversation does not offer do not exist in it. */
function available(matches: readonly IntentMatch[], context: DialogueContext): readonly IntentMatch[] {
  return matches.filter(
    ({ intent: { action } }) => action.type !== "handoff" || context.handoff(action.to, "") !== undefined,
  );
}

export function taskForTool(rules: AgentRules, tool: string): Task | undefined {
  const intent = rules.intents.find(({ action }) => action.type === "call" && action.tool === tool);
  return intent === undefined ? undefined : { intent: intent.name, slots: {}, resume: [] };
}

function findIntent(rules: AgentRules, name: string): Intent | undefined {
  return rules.intents.find((intent) => intent.name === name);
}

function scopeOf(context: DialogueContext, slots: SlotValues): Readonly<Record<string, unknown>> {
  const today = new Date(context.todayMs).toISOString().slice(0, 10);
  const { agent, memory, rules } = context;
  return { ...rules.variables, agent_name: agent, context: contextOf(memory), memory, slots, today };
}

function spoken(template: string, scope: Readonly<Record<string, unknown>>): string {
  return renderTemplate(template, scope).replaceAll(/\s+/g, " ").trim();
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && value !== false;
}
