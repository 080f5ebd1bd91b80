/**
 * What an agent does with one turn: ask the model, run the tools it calls, take a handoff, ask again, until it has
 * nothing more to do. Text leaves as it is written; the caller of the loop decides how it sounds.
 */
import type { Agent } from "@voice/shared/catalog/agent";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { VoiceError } from "@voice/shared/platform/errors";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type {
  LanguageModel,
  ModelMessage,
  ModelTool,
  ModelToolCall,
  ModelUsage,
} from "../../providers/ports/language-model.ts";
import { notUnderstood, toModelMessages } from "./model-messages.ts";
import type { AwaitedAnswer } from "../../providers/ports/recogniser.ts";
import { planHandoff } from "./plan-handoff.ts";
import type { HandoffTaken } from "./plan-handoff.ts";
import { askedEffects } from "../asked-effects.ts";
import type { AskedEffect } from "../asked-effects.ts";
import { settleHandoff } from "./settle-handoff.ts";
import type { ToolCallOutcome } from "./tool-call-outcome.ts";

export interface ToolRunner {
  /** What this agent may call here, handoffs included. */
  definitions(agent: Agent): readonly ModelTool[];
  /** Never rejects: a failing tool is an outcome. Tools that may not be cancelled finish although `signal` is aborted. */
  run(
    calls: readonly ModelToolCall[],
    context: { readonly turnId: string; readonly agent: Agent; readonly memory: Readonly<Record<string, unknown>> },
    onSlow: (notice: string) => void,
    signal: AbortSignal,
  ): Promise<readonly ToolCallOutcome[]>;
}

export interface AgentLoopOutput {
  onText(delta: string): void;
  /** What was written so far is a sentence of its own (a tool runs, another agent takes over). */
  onSentenceEnd(): void;
  onToolsStarted(calls: readonly ModelToolCall[]): void;
  onToolsFinished(outcomes: readonly ToolCallOutcome[], items: readonly HistoryItem[]): void;
  onHandoff(handoff: HandoffTaken): void;
  onEffect(effect: AskedEffect): void;
  onFirstToken(): void;
  /** The answer is complete; this is what it asks for. */
  onAwaits(awaits: AwaitedAnswer | undefined): void;
  onUsage(usage: ModelUsage): void;
}

export interface AgentTurn {
  readonly agent: Agent;
  /** Undefined: the caller spoke, and nothing was understood (TURN-13). */
  readonly userText: string | undefined;
  /** What has been done about it already, by another reply that could not be finished. */
  readonly since?: readonly HistoryItem[];
  /** Everything before this turn that the agent may know. */
  readonly history: readonly HistoryItem[];
  readonly memory: Readonly<Record<string, unknown>>;
  readonly visitedAgents: readonly string[];
}

export interface AgentLoopOptions {
  readonly model: LanguageModel;
  readonly catalog: SessionCatalog;
  readonly tools: ToolRunner;
  /** Wall clock, for the stored items. */
  readonly wallNow: () => number;
  /** Gives the turn's id. Nothing with a side effect happens before it resolves (TURN-10). */
  readonly committed: Promise<string>;
}

/** Model requests in one turn; a model that calls tools for ever is stopped here. */
const maxSteps = 6;

export async function runAgentLoop(
  turn: AgentTurn,
  options: AgentLoopOptions,
  output: AgentLoopOutput,
  signal: AbortSignal,
): Promise<void> {
  const { model, catalog, tools } = options;
  let agent = turn.agent;
  let memory = turn.memory;
  const userMessage: ModelMessage =
    turn.userText === undefined ? notUnderstood : { role: "user", content: turn.userText };
  const messages: ModelMessage[] = [
    ...toModelMessages(turn.history),
    userMessage,
    ...toModelMessages(turn.since ?? []),
  ];
  let handoffs = 0;
  let previousAgent: string | undefined;
  let handoffReason: string | undefined;
  let isSilent = !sayAgain(turn.since ?? [], output);

  for (let step = 0; step < maxSteps; step++) {
    const today = new Date(options.wallNow()).toISOString().slice(0, 10);
    const prompt = catalog.renderPrompt(agent, { memory, previousAgent, handoffReason, today });
    const mayCallTools = step < maxSteps - 1;
    const answer = await askModel(
      model,
      {
        agent: agent.name,
        messages: [{ role: "system", content: prompt }, ...messages],
        tools: mayCallTools ? tools.definitions(agent) : [],
        settings: agent.model.cascade,
        rules: agent.rules,
        memory,
      },
      output,
      signal,
    );
    isSilent &&= answer.text.trim() === "";
    if (answer.calls.length === 0) {
      // A filtered or empty answer would leave the caller listening to nothing.
      if (isSilent) throw new VoiceError("upstream_unavailable", "the language model had nothing to say");
      output.onAwaits(answer.awaits);
      return;
    }

    const turnId = await options.committed;
    signal.throwIfAborted();
    output.onSentenceEnd();
    output.onToolsStarted(answer.calls);
    const ran = await tools.run(
      answer.calls,
      { turnId, agent, memory },
      (notice) => {
        if (signal.aborted) return;
        output.onText(notice);
        output.onSentenceEnd();
      },
      signal,
    );
    const { outcomes, handoff } = settleHandoff(ran, handoffs, (wanted) =>
      planHandoff(catalog, agent, wanted, { memory, visitedAgents: turn.visitedAgents }),
    );
    const items = toHistoryItems(turnId, agent.name, outcomes, options.wallNow(), answer.text);
    output.onToolsFinished(outcomes, items);
    memory = Object.assign({}, memory, ...outcomes.map((outcome) => outcome.memory));
    signal.throwIfAborted();
    messages.push(...toModelMessages(items));

    const effects = outcomes.flatMap((outcome) => outcome.effects);
    for (const effect of askedEffects(items)) output.onEffect(effect);
    isSilent &&= effects.length === 0;
    if (handoff === undefined) continue;

    handoffs++;
    memory = { ...memory, ...handoff.context };
    previousAgent = agent.name;
    handoffReason = handoff.reason;
    output.onHandoff(handoff);
    if (!handoff.shareContext) messages.splice(0, messages.length, userMessage);
    if (handoff.greeting !== undefined) {
      output.onText(handoff.greeting);
      output.onSentenceEnd();
      // The new agent has the floor: it goes on from its own greeting with what the caller already asked for.
      messages.push({ role: "assistant", content: handoff.greeting });
    }
    agent = handoff.to;
  }
}

async function askModel(
  model: LanguageModel,
  request: Parameters<LanguageModel["stream"]>[0],
  output: AgentLoopOutput,
  signal: AbortSignal,
): Promise<{ text: string; calls: ModelToolCall[]; awaits: AwaitedAnswer | undefined }> {
  let text = "";
  let awaits: AwaitedAnswer | undefined;
  let started = false;
  const calls: ModelToolCall[] = [];
  for await (const event of model.stream(request, signal)) {
    signal.throwIfAborted();
    if (!started) {
      started = true;
      output.onFirstToken();
    }
    if (event.type === "text-delta") {
      text += event.text;
      output.onText(event.text);
    } else if (event.type === "tool-call") calls.push(event.call);
    else {
      ({ awaits } = event);
      if (event.usage !== undefined) output.onUsage(event.usage);
    }
  }
  signal.throwIfAborted();
  return { text, calls, awaits };
}

/** Without the words said around the calls: those are stored once, as far as they were heard, when the reply is over. */
export function toHistoryItems(
  turnId: string,
  agent: string,
  outcomes: readonly ToolCallOutcome[],
  timestampMs: number,
  preamble = "",
): HistoryItem[] {
  const common = { agent, turnId, timestampMs, interrupted: false };
  return [
    {
      ...common,
      role: "assistant",
      content: "",
      toolCalls: outcomes.map((outcome) => outcome.call),
      ...(preamble === "" ? {} : { preamble }),
    },
    ...outcomes.map((outcome): HistoryItem => ({
      ...common,
      role: "tool",
      content: JSON.stringify(outcome.result),
      toolCallId: outcome.call.id,
      toolName: outcome.call.name,
      ...callEffects(outcome),
    })),
  ];
}

/** What was written before the tools ran, and whether there was any, or anything that speaks for itself. */
function sayAgain(since: readonly HistoryItem[], output: AgentLoopOutput): boolean {
  const written = since.flatMap(({ preamble }) => preamble ?? []);
  for (const text of written) {
    output.onText(text);
    output.onSentenceEnd();
  }
  return written.length > 0 || since.some(({ effects }) => effects !== undefined);
}

/** A handoff changes the conversation's own record. */
function callEffects({ effects }: ToolCallOutcome): Pick<HistoryItem, "effects"> {
  const asked = effects.flatMap((effect) => (effect.type === "handoff" ? [] : [effect]));
  return asked.length === 0 ? {} : { effects: asked };
}
