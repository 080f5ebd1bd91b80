/**
 * Derives the dialogue's state from the message history alone: every past turn is decided again. Where the history
 * shows a different outcome, the history wins, because memory may hold more now than it did then.
 */
import { z } from "zod";
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { ModelMessage } from "@voice/provider-kit/ports/language-model";
import type { AwaitedAnswer } from "@voice/provider-kit/ports/recogniser";
import {
  initialState,
  prefixed,
  type DialogueContext,
  type DialogueOutcome,
  type DialogueState,
  type DialogueStep,
} from "./dialogue-state.ts";
import { hearTool, taskForTool, withoutQuestion } from "./carry-out.ts";
import { isCorrection } from "./corrections.ts";
import { arrive, awaitedAnswer } from "./dialogue.ts";
import { asksAgain, hearCaller, isYes, isYesOrNo } from "./doubt.ts";
import { heardPart } from "./heard-part.ts";
import { matchIntents } from "./match-intent.ts";
import { requestsIn } from "./requests.ts";
import { findNumbers } from "../spoken-english/read-numbers.ts";
import { tokenise, withoutFillers } from "./compare-words.ts";
import { afterYesNo } from "../spoken-english/yes-no.ts";

const toolContent = z.record(z.string(), z.unknown());

/** Input since the agent last spoke. */
interface Inbox {
  readonly heard: string[];
  /** The guess for the last of the input, if it was not understood. */
  guess?: string | undefined;
  /** Nothing is known of the conversation before these words, so they may have been addressed to another agent. */
  isFirst?: boolean | undefined;
  tool?: { readonly name: string; readonly result: Readonly<Record<string, unknown>> } | undefined;
  /** Set right after a handoff to this agent: what the caller has asked for, newest first, and which agent they asked. */
  arrival?: { readonly heard: readonly string[]; readonly previousAgent: string } | undefined;
}

type AgentWords = Extract<ModelMessage, { readonly role: "assistant" }>;

interface AgentMessage {
  readonly content: string;
  readonly calledTool: string | undefined;
}

/** `previousAgent`: the agent that has just handed over. `awaits`: what the agent asks for after this text. */
export function nextOutcome(
  messages: readonly ModelMessage[],
  context: DialogueContext,
  previousAgent?: string,
): DialogueOutcome & { readonly awaits: AwaitedAnswer | undefined } {
  let state = initialState;
  let inbox: Inbox = { heard: [] };
  let requests: readonly string[] = [];
  let hasRunTool = false;
  let guess: string | undefined;
  // The service's own notes are meant for models that read the history.
  const history = mergeAssistantMessages(recent(messages).filter(({ role }) => role !== "system"));
  for (const [index, message] of history.entries()) {
    switch (message.role) {
      case "system":
        break;
      case "user": {
        const words = message.understood === false ? "" : heardPart(message.content);
        const meant = guess !== undefined && isYes(words) ? guess : words;
        if (!isBareAnswer(meant) && !asksAgain(meant, context))
          requests = [meant, ...requests].slice(0, rememberedRequests);
        inbox.heard.push(words);
        inbox.guess = guess = message.guess;
        inbox.isFirst ||= index === 0;
        hasRunTool = false;
        break;
      }
      case "tool": {
        const result = readResult(message.content);
        if (result["handoff"] === true && isAgent(result["target_agent"], context)) {
          state = initialState;
          // The first of two requests in one sentence may have needed several questions; otherwise older turns have been dealt with. "No,
          // the credit card" corrects what was said before it.
          const heard = hasRunTool || isCorrection(requests[0] ?? "") ? requests : requests.slice(0, 1);
          inbox = { heard: [], arrival: { heard, previousAgent: asText(result["previous_agent"]) } };
        } else inbox.tool = { name: message.name, result };
        if (result["handoff"] === true) requests = requests.slice(0, 1);
        else hasRunTool = true;
        break;
      }
      case "assistant":
        // If the history ends with the agent's own words (its greeting), the model is expected to continue from there. What was said before
        // belongs to another agent and is not repeated.
        if (index === history.length - 1 && message.toolCalls === undefined) {
          state = { ...state, lastSaid: state.unasked ?? message.content };
          // The agent that handed over has passed on nothing else (share_context: false), and has understood these words.
          if (inbox.isFirst === true) inbox = arrivalWith(inbox, previousAgent);
          break;
        }
        if (isBarelyHeard(message, () => stepsToday(state, inbox, context).map(({ outcome }) => outcome.say))) break;
        state = settle(state, inbox, { content: message.content, calledTool: message.toolCalls?.[0]?.name }, context);
        inbox = { heard: [] };
        break;
      default:
        message satisfies never;
    }
  }
  // The same if it takes over silently.
  const hasOnlyHeard = inbox.isFirst === true && inbox.tool === undefined && inbox.arrival === undefined;
  if (previousAgent !== undefined && hasOnlyHeard) inbox = arrivalWith(inbox, previousAgent);
  const { state: after, outcome } = take(state, inbox, context);
  return { ...outcome, awaits: outcome.call === undefined ? awaitedAnswer(after, context.rules) : undefined };
}

function arrivalWith({ heard }: Inbox, previousAgent = ""): Inbox {
  return { heard: [], arrival: { heard: heard.toReversed(), previousAgent } };
}

/** What the caller said to the previous agent may have held two requests, of which the second is for this agent. */
const rememberedRequests = 3;
/**
 * No question stays open for longer than this, so older messages do not matter. The limit keeps long calls as fast as
 * short ones.
 */
const replayedTurns = 12;

export function recent(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const turns = messages.flatMap((message, index) => (message.role === "user" ? [index] : []));
  return messages.slice(turns.at(-replayedTurns) ?? 0);
}

function take(state: DialogueState, inbox: Readonly<Inbox>, context: DialogueContext): DialogueStep {
  const unheard = unheardStep(state, inbox, context);
  const last = inbox.heard.at(-1);
  if (last === undefined) return unheard ?? arrive({ heard: [], previousAgent: "", greeting: state.lastSaid }, context);
  const words = meantBy(inbox.heard, context);
  const heard = { words, guess: inbox.guess };
  if (unheard === undefined) return hearCaller(state, heard, context);
  const isAnswer = unheard.outcome.say !== "" || unheard.outcome.call !== undefined;
  if (isAnswer && asksAgain(words, context)) return unheard;
  if (inbox.tool === undefined) return hearCaller(unasked(unheard), heard, context);
  if (isAnswer && isYes(words)) return unheard; // nothing had been asked yet to which a yes could be an answer
  const step = hearCaller(unheard.state, heard, context);
  return isBesides(words, unheard, context) ? prefixed(withoutQuestion(unheard.outcome.say), step) : step;
}

/** The state after a step whose question was not heard. */
function unasked({ state, outcome }: DialogueStep): DialogueState {
  return outcome.say.endsWith("?") ? { ...state, unasked: outcome.say } : state;
}

/** The caller paused, and then added another request before anything of the answer to the first one was heard: both are answered. */
function isBesides(words: string, { state: { last }, outcome }: DialogueStep, context: DialogueContext): boolean {
  const [request] = requestsIn(words, context);
  if (request === undefined || outcome.call !== undefined || isCorrection(words)) return false;
  const { name, action } = request.intent;
  return name !== last?.intent && (action.type === "call" || action.type === "handoff");
}

/**
 * Joins a sentence that was split by a pause, or by an answer that was interrupted before it started, if the whole makes more sense than
 * its last part alone. A caller who asks what was said has heard nothing, and wants the answer to the rest.
 */
function meantBy(heard: readonly string[], context: DialogueContext): string {
  const last = heard.at(-1) ?? "";
  if (heard.length < 2) return last;
  if (asksAgain(last, context)) return meantBy(heard.slice(0, -1), context);
  if (isYesOrNo(last)) return last;
  const joined = heardPart(heard.join(" "));
  const score = (words: string): number =>
    matchIntents(context.rules, words, context.todayMs, context.meanings)[0]?.score ?? 0;
  return score(joined) >= score(last) ? joined : last;
}

/** A caller who interrupts this soon was still speaking, and has not taken in anything of the answer. */
const barelyHeardWords = 2;

function isBarelyHeard({ content, toolCalls }: AgentWords, meant: () => readonly string[]): boolean {
  if (toolCalls !== undefined || content === "" || content.split(" ").length > barelyHeardWords) return false;
  return !endsASentence.test(content) && meant().some((whole) => whole.startsWith(content) && whole !== content);
}

/** With what memory holds now, and without it, as it may have been at the time. */
function stepsToday(
  state: DialogueState,
  inbox: Readonly<Inbox>,
  context: DialogueContext,
): readonly [DialogueStep, DialogueStep] {
  return [take(state, inbox, context), take(state, inbox, { ...context, memory: {} })];
}

/** What the agent says without new words from the caller: after a tool's result, or because it has just taken over. */
function unheardStep(state: DialogueState, inbox: Readonly<Inbox>, context: DialogueContext): DialogueStep | undefined {
  if (inbox.tool !== undefined) return hearTool(state, inbox.tool, context);
  return inbox.arrival && arrive({ ...inbox.arrival, greeting: state.lastSaid }, context);
}

function settle(
  state: DialogueState,
  inbox: Readonly<Inbox>,
  said: AgentMessage,
  context: DialogueContext,
): DialogueState {
  const hasInput = inbox.heard.length > 0 || inbox.tool !== undefined || inbox.arrival !== undefined;
  if (!hasInput) return { ...state, lastSaid: said.content === "" ? state.lastSaid : said.content };
  const calledTheSame = (step: DialogueStep): boolean => step.outcome.call?.tool === said.calledTool;
  const saidTheSame = ({ outcome: { say } }: DialogueStep): boolean =>
    isPartOf(said.content, say) || (say !== "" && said.content.endsWith(say)); // a greeting may precede it
  const took = arrive({ heard: inbox.heard, previousAgent: "", greeting: state.lastSaid }, context);
  const [today, before] = stepsToday(state, inbox, context);
  const steps = [today, before, ...(inbox.isFirst === true ? [took] : [])];
  const both = steps.filter(calledTheSame);
  const step = both.find(saidTheSame) ?? both[0] ?? today;
  const calling =
    said.calledTool === undefined ? undefined : (step.state.calling ?? taskForTool(context.rules, said.calledTool));
  const { say } = step.outcome;
  const settled = inbox.arrival !== undefined && isUnheard(say, said.content) ? unasked(step) : step.state;
  return { ...settled, calling, lastSaid: fullText(say, said.content) };
}

/** The agent that took over was interrupted before its question, perhaps even before its greeting. */
function isUnheard(question: string, heard: string): boolean {
  return !heard.endsWith("?") && !heard.includes(firstWords(question));
}

/**
 * The history contains what was heard, but "say that again" repeats all that was meant. Other words may precede it: those of the agent that
 * handed over, a greeting, words before a tool call. Of those only the heard part is known.
 */
function fullText(meant: string, heard: string): string {
  if (meant === "" || isPartOf(heard, meant)) return meant === "" ? heard : meant;
  if (heard.endsWith(meant)) return heard;
  const begun = heard.indexOf(firstWords(meant));
  if (begun !== -1 && meant.startsWith(heard.slice(begun).trim())) return `${heard.slice(0, begun)}${meant}`;
  if (!endsASentence.test(heard)) return meant;
  // A whole sentence was heard, but not the question after it; without the question the caller would not know what is asked.
  return meant.endsWith("?") && !heard.endsWith("?") ? `${heard} ${meant}` : heard;
}

const endsASentence = /[.!?]$/;

/** Enough words to find where a sentence begins. */
function firstWords(text: string): string {
  return text.split(" ").slice(0, 2).join(" ");
}

function isPartOf(heard: string, meant: string): boolean {
  return meant.includes(heard.trim());
}

function mergeAssistantMessages(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const merged: ModelMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (message.role === "assistant" && last?.role === "assistant")
      merged[merged.length - 1] = {
        role: "assistant",
        content: [last.content, message.content].filter((part) => part !== "").join(" "),
        ...withToolCalls([...(last.toolCalls ?? []), ...(message.toolCalls ?? [])]),
      };
    else merged.push(message);
  }
  return merged;
}

function withToolCalls(toolCalls: readonly ToolCall[]): { toolCalls?: readonly ToolCall[] } {
  return toolCalls.length === 0 ? {} : { toolCalls };
}

/** "four four one two", "yes please": answers to the previous agent that mean nothing to the next one. */
function isBareAnswer(text: string): boolean {
  const tokens = withoutFillers(tokenise(text));
  const numbers = new Set(findNumbers(tokens).flatMap(({ start, end }) => tokens.slice(start, end)));
  return afterYesNo(tokens).every((token) => numbers.has(token));
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function readResult(content: string): Readonly<Record<string, unknown>> {
  try {
    const parsed = toolContent.safeParse(JSON.parse(content));
    return parsed.success ? parsed.data : { message: content };
  } catch (error) {
    if (error instanceof SyntaxError) return { message: content };
    throw error;
  }
}

function isAgent(name: unknown, context: DialogueContext): boolean {
  return typeof name === "string" && name.toLowerCase() === context.agent.name.toLowerCase();
}
