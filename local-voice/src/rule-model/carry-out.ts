/** Carries out a task: prerequisites, missing slots, confirmation if needed, the action, and the tool's result. */
import type { AgentRules, FollowUp, Intent, IntentAction } from "../rules/rules.ts";
import { ruleTemplates } from "../rules/rule-templates.ts";
import { isWithdrawal } from "@voice/shared/conversation/withdrawn-effects";
import { maxSpokenCharacters } from "@voice/shared/catalog/template";
import { withoutLeadIn } from "../spoken-english/questions.ts";
import { endsCall } from "./farewell.ts";
import { errorCodes } from "@voice/shared/platform/errors";
import { contextOf } from "@voice/shared/conversation/call-context";
import {
  answered,
  prefixed,
  speak,
  type Asked,
  type DialogueContext,
  type DialogueState,
  type DialogueStep,
  type PendingRequest,
  type Task,
} from "./dialogue-state.ts";
import type { SlotValues } from "./match-intent.ts";

export const confirmQuestion = "?confirm";
/** After this many answers that it did not understand the agent stops asking and escalates. */
export const maxAttempts = 3;
/** `first` and `next` may form chains; a catalog in which they form a cycle must not hang a call. */
const maxChain = 6;

/** Spoken before a question about the second request of a sentence, because the question alone would not say what it is about. */
const nextMatter = "Now to the other thing you mentioned.";
const apology = "Sorry, that did not work.";
/** Errors in the tool call itself are worded for a model and must not be spoken to the caller. */
const technicalErrors = new Set<unknown>(["invalid_arguments", "unknown_tool", "timeout", "cancelled", ...errorCodes]);

/**
 * Asks for a missing slot, begins a prerequisite, or acts. `done` holds the intents whose `first` condition was just
 * met.
 */
export function start(
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
    return ask({ ...task, question: missing.name, attempts: 1 }, missing.ask, state, context, slots);
  if (intent.confirm !== undefined)
    return ask({ ...filled, question: confirmQuestion, attempts: 1 }, intent.confirm, state, context);
  return act(filled, intent, state, context);
}

export function act(task: Task, intent: Intent, state: DialogueState, context: DialogueContext): DialogueStep {
  const { slots, resume } = task;
  const isRepetition = intent.action.type === "repeat" || intent.action.type === "say";
  const last = isRepetition ? state.last : { intent: task.intent, slots };
  return perform(intent.action, { intent: task.intent, slots, resume }, { ...state, last }, context);
}

/** Handles the result of the running task's tool. */
export function hearTool(
  state: DialogueState,
  tool: { readonly name: string; readonly result: Readonly<Record<string, unknown>> },
  context: DialogueContext,
): DialogueStep {
  const task = state.calling ?? taskForTool(context.rules, tool.name);
  const intent = task === undefined ? undefined : findIntent(context.rules, task.intent);
  const settled: DialogueState = { ...state, calling: undefined };
  const result = forCaller(tool.result);
  const message = typeof result["message"] === "string" ? result["message"] : undefined;
  if (task === undefined || intent === undefined)
    return speak(settled, state.calling === undefined ? (message ?? "") : "");
  const succeeded = result["success"] !== false;
  if (isWithdrawal(result["error"])) return askStill(task, intent, settled, context);
  const followUp = succeeded ? intent.after.success : failureFollowUp(intent, result);
  const scope = { ...scopeOf(context, task.slots), result, resuming: task.resume.length > 0 };
  const said = followUp?.say === undefined ? undefined : spoken(followUp.say, scope);
  const alreadySpoken = intent.action.type !== "repeat" && intent.action.say !== undefined;
  const words = said ?? (succeeded ? (alreadySpoken ? "" : (message ?? "")) : (message ?? apology));
  if (followUp?.next !== undefined) {
    // A value that was wrong is not retained for another attempt; for a different intent the caller need not repeat the other values.
    const slots = succeeded || followUp.next !== task.intent ? sharedSlots(task, followUp.next, context) : {};
    // Waiting requests stay queued while the task is retried, and are dropped if something else replaces it.
    const resume = succeeded || followUp.next === task.intent ? task.resume : [];
    return prefixed(words, start({ intent: followUp.next, slots, resume }, settled, context));
  }
  const step = succeeded ? resumed(words, task, settled, context) : continueRegardless(words, task, settled, context);
  if (step !== undefined) return step;
  const offered = followUp?.offer === undefined ? undefined : { intent: followUp.offer, slots: task.slots };
  return speak({ ...settled, offered }, words);
}

/**
 * The caller spoke over the announcement. A different request is served instead; otherwise the caller is asked again. A handoff has no
 * lasting effect, so a caller who only asks what was said is handed over. In place of a goodbye, more help is offered.
 */
function askStill(task: Task, intent: Intent, state: DialogueState, context: DialogueContext): DialogueStep {
  const { still, confirm, action } = intent;
  if (endsCall(intent)) return speak({ ...state, unheard: moreHelp }, moreHelp);
  const question = spoken(still ?? confirm ?? "Shall I still do that?", scopeOf(context, task.slots));
  const asked: DialogueState = { ...state, offered: task, unheard: question };
  return action.type === "handoff" ? perform(action, task, asked, context) : speak(asked, question);
}

const moreHelp = "Is there anything else?";

/** Continues with the requests that waited for the finished task. */
function resumed(words: string, task: Task, state: DialogueState, context: DialogueContext): DialogueStep | undefined {
  const [next, ...resume] = task.resume;
  if (next === undefined) return undefined;
  return goOn(words, [task, next], start({ ...next, resume }, state, context, new Set([task.intent])));
}

/** The task failed, but independent requests from the same sentence are still carried out. */
export function continueRegardless(
  words: string,
  task: Task,
  state: DialogueState,
  context: DialogueContext,
): DialogueStep | undefined {
  const at = task.resume.findIndex(({ regardless }) => regardless === true);
  const next = task.resume[at];
  if (next === undefined) return undefined;
  return goOn(words, [task, next], start({ ...next, resume: task.resume.slice(at + 1) }, state, context));
}

/** Leads from one request to the next, showing that the second one was not forgotten. */
function goOn(words: string, [over, next]: readonly [Task, PendingRequest], step: DialogueStep): DialogueStep {
  const { asked } = step.state;
  const done = withoutQuestion(words);
  if (asked === undefined || asked.question === confirmQuestion) return prefixed(done, step);
  const question = speak(step.state, withoutLeadIn(step.outcome.say));
  const isNews = next.isBesides === true && next.intent !== over.intent;
  return prefixed(done, isNews ? prefixed(nextMatter, question) : question);
}

function perform(action: IntentAction, task: Task, state: DialogueState, context: DialogueContext): DialogueStep {
  const scope = scopeOf(context, task.slots);
  switch (action.type) {
    case "say": {
      const words = spoken(action.say, scope);
      return resumed(words, task, state, context) ?? speak(state, words);
    }
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
          .map(([name, template]) => [name, ruleTemplates.evaluate(template, scope)] as const)
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

/**
 * `slots` are for rendering the question only, so that fallback values are not stored as if the caller had said them.
 */
export function ask(
  asked: Asked,
  question: string,
  state: DialogueState,
  context: DialogueContext,
  slots: SlotValues = asked.slots,
): DialogueStep {
  return speak({ ...state, asked }, spoken(question, scopeOf(context, slots)));
}

export function askAgain(state: DialogueState, question: string, context: DialogueContext): DialogueStep {
  const { asked } = state;
  if (asked === undefined || asked.attempts >= maxAttempts) return escalate(state, context);
  return ask({ ...asked, attempts: asked.attempts + 1 }, question, state, context);
}

export function escalate(state: DialogueState, context: DialogueContext): DialogueStep {
  const action = context.rules.escalation;
  const cleared = answered(state);
  if (action.type === "handoff" && context.handoff(action.to, action.reason) === undefined)
    return speak(cleared, spoken(context.rules.fallback, scopeOf(context, {})));
  return perform(action, { intent: "", slots: {}, resume: [] }, cleared, context);
}

export function taskForTool(rules: AgentRules, tool: string): Task | undefined {
  const intent = rules.intents.find(({ action }) => action.type === "call" && action.tool === tool);
  return intent === undefined ? undefined : { intent: intent.name, slots: {}, resume: [] };
}

export function findIntent(rules: AgentRules, name: string): Intent | undefined {
  return rules.intents.find((intent) => intent.name === name);
}

export function scopeOf(context: DialogueContext, slots: SlotValues): Readonly<Record<string, unknown>> {
  const today = new Date(context.todayMs).toISOString().slice(0, 10);
  const { agent, memory } = context;
  return { ...agent.templateVars, agent_name: agent.name, context: contextOf(memory), memory, slots, today };
}

export function spoken(template: string, scope: Readonly<Record<string, unknown>>): string {
  return ruleTemplates.render(template, scope, maxSpokenCharacters).replaceAll(/\s+/g, " ").trim();
}

/** "Is there anything else?" is left out if the caller has already asked for something else. */
export function withoutQuestion(words: string): string {
  return words.replace(/(^|[.!?])[^.!?]*\?$/, "$1").trim();
}

function forCaller(result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isTechnical = result["success"] === false && technicalErrors.has(result["error"]);
  return isTechnical ? { ...result, message: apology } : result;
}

function failureFollowUp(intent: Intent, result: Readonly<Record<string, unknown>>): FollowUp | undefined {
  const code = result["error"];
  return (typeof code === "string" ? intent.after.errors?.[code] : undefined) ?? intent.after.failure;
}

function filledSlots(intent: Intent, given: SlotValues, context: DialogueContext): SlotValues {
  const filled: Record<string, string | number> = { ...given };
  for (const slot of intent.slots) {
    if (filled[slot.name] !== undefined) continue;
    const remembered = slot.memory === undefined ? undefined : context.memory[slot.memory];
    const value = typeof remembered === "string" || typeof remembered === "number" ? remembered : slot.fallback;
    if (value !== undefined) filled[slot.name] = value;
  }
  return filled;
}

/** The values known for slots that the other intent has, too. */
function sharedSlots({ slots }: Task, name: string, context: DialogueContext): SlotValues {
  const wanted = new Set(findIntent(context.rules, name)?.slots.map((slot) => slot.name));
  return Object.fromEntries(Object.entries(slots).filter(([slot]) => wanted.has(slot)));
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && value !== false;
}
