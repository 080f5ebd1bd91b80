/**
 * What an agent does with one turn: ask the model, run the tools it calls, take a handoff, ask again, until it has
 * nothing more to do. Text leaves as it is written; the caller of the loop decides how it sounds.
 */
import type { Agent } from "@voice/shared/catalog/agent";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { VoiceError } from "@voice/shared/platform/errors";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ToolEffect } from "@voice/shared/tools/tool";
import type {
  LanguageModel,
  ModelMessage,
  ModelTool,
  ModelToolCall,
  ModelUsage,
} from "../../providers/ports/language-model.ts";
import { toModelMessages } from "./model-messages.ts";
import { planHandoff } from "./plan-handoff.ts";
import type { HandoffTaken } from "./plan-handoff.ts";

export interface ToolCallOutcome {
  readonly call: ModelToolCall;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: unknown;
  readonly status: "success" | "error";
  readonly durationMs: number;
  readonly memory: Readonly<Record<string, unknown>>;
  readonly effects: readonly ToolEffect[];
}

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
  onEffect(effect: Exclude<ToolEffect, { type: "handoff" }>): void;
  onFirstToken(): void;
  onUsage(usage: ModelUsage): void;
}

export interface AgentTurn {
  readonly agent: Agent;
  readonly userText: string;
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
/** Handoffs in one turn: front desk → desk → specialist is common, more is a loop. */
const maxHandoffs = 3;

export async function runAgentLoop(
  turn: AgentTurn,
  options: AgentLoopOptions,
  output: AgentLoopOutput,
  signal: AbortSignal,
): Promise<void> {
  const { model, catalog, tools } = options;
  let agent = turn.agent;
  let memory = turn.memory;
  const userMessage: ModelMessage = { role: "user", content: turn.userText };
  const messages: ModelMessage[] = [
    ...toModelMessages(turn.history),
    userMessage,
    ...toModelMessages(turn.since ?? []),
  ];
  let handoffs = 0;
  let previousAgent: string | undefined;
  let handoffReason: string | undefined;
  let isSilent = true;

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
      return;
    }

    const turnId = await options.committed;
    signal.throwIfAborted();
    output.onSentenceEnd();
    output.onToolsStarted(answer.calls);
    const outcomes = await tools.run(
      answer.calls,
      { turnId, agent, memory },
      (notice) => {
        if (signal.aborted) return;
        output.onText(notice);
        output.onSentenceEnd();
      },
      signal,
    );
    const items = toHistoryItems(turnId, agent.name, outcomes, options.wallNow());
    output.onToolsFinished(outcomes, items);
    memory = Object.assign({}, memory, ...outcomes.map((outcome) => outcome.memory));
    signal.throwIfAborted();
    messages.push(...toModelMessages(items));

    const effects = outcomes.flatMap((outcome) => outcome.effects);
    for (const effect of effects) if (effect.type !== "handoff") output.onEffect(effect);
    isSilent &&= effects.length === 0;
    const wanted = effects.findLast((effect) => effect.type === "handoff");
    const handoff =
      wanted && handoffs < maxHandoffs
        ? planHandoff(catalog, agent, wanted, { memory, visitedAgents: turn.visitedAgents })
        : undefined;
    if (wanted === undefined || handoff === undefined) continue;

    handoffs++;
    memory = { ...memory, ...wanted.context };
    previousAgent = agent.name;
    handoffReason = wanted.reason;
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
): Promise<{ text: string; calls: ModelToolCall[] }> {
  let text = "";
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
    else if (event.usage !== undefined) output.onUsage(event.usage);
  }
  signal.throwIfAborted();
  return { text, calls };
}

/** Without the words said around the calls: those are stored once, as far as they were heard, when the reply is over. */
export function toHistoryItems(
  turnId: string,
  agent: string,
  outcomes: readonly ToolCallOutcome[],
  timestampMs: number,
): HistoryItem[] {
  const common = { agent, turnId, timestampMs, interrupted: false };
  return [
    { ...common, role: "assistant", content: "", toolCalls: outcomes.map((outcome) => outcome.call) },
    ...outcomes.map((outcome): HistoryItem => ({
      ...common,
      role: "tool",
      content: JSON.stringify(outcome.result),
      toolCallId: outcome.call.id,
      toolName: outcome.call.name,
    })),
  ];
}
