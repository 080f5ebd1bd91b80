/** One round of tools: what the calls of one answer give, and whether another answer may call any (TOOL-11). */
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { ModelTool } from "@voice/provider-kit/ports/language-model";
import type { Agent } from "@voice/shared/catalog/agent";
import { packOf } from "@voice/shared/languages/packs";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { chooseHandoff } from "./cascade/choose-handoff.ts";
import type { HandoffChoice } from "./cascade/choose-handoff.ts";
import type { ToolCallResult } from "@voice/shared/tools/run-tools";

export interface ToolRunContext {
  readonly turnId: string;
  readonly agent: Agent;
  readonly memory: Readonly<Record<string, unknown>>;
  /** Outcomes of the tool calls in the model's previous response of the same turn (TOOL-9). */
  readonly before?: readonly ToolCallResult[] | undefined;
  /** Aborted when the result of running look-ups is no longer needed. If absent, they are cancelled with the reply. */
  readonly dropped?: AbortSignal | undefined;
}

export interface ToolRunner {
  /** The tools that this agent may call now, including handoffs. */
  definitions(agent: Agent): readonly ModelTool[];
  /**
   * Equal for two calls that look up the same thing; undefined for a call with side effects. Only a look-up may outlive its reply and be
   * dropped (TOOL-10). If this method is absent, no tool is a look-up.
   */
  lookUpKey?(agent: Agent, call: ToolCall): string | undefined;
  /** Never rejects: a failing tool is an outcome. Tools that may not be cancelled finish even when `signal` is aborted. */
  run(
    calls: readonly ToolCall[],
    context: ToolRunContext,
    onSlow: (notice: string) => void,
    signal: AbortSignal,
  ): Promise<readonly ToolCallResult[]>;
}

/** Agents of public benchmarks (tau-bench's retail and airline tasks) call one tool at a time, up to 18 times for one request. */
const defaultRounds = 25;
/** A caller who has waited for so long wants to hear what has been done so far. */
const longestWorkMs = 120_000;

export function mayCallTools(
  { model }: Pick<Agent, "model">,
  { rounds, workedMs }: { readonly rounds: number; readonly workedMs: number },
): boolean {
  return rounds < (model.maxToolRounds ?? defaultRounds) && workedMs < longestWorkMs;
}

/** What the model is told with the last request. */
export const roundsSpent =
  "You have called tools as often as you may in one turn. Call none now. Tell the caller what is done and what is still missing, and ask whether to go on.";

export interface ToolRoundRequest {
  readonly calls: readonly ToolCall[];
  readonly context: ToolRunContext;
  /** What the model said before it called the tools. */
  readonly preamble?: string;
  /** How many handoffs the reply has taken already. */
  readonly handoffs: number;
  readonly planHandoff: Parameters<typeof chooseHandoff>[2];
  readonly wallNow: () => number;
}

/** `outcomes`: with a refusal in the place of each handoff that is not taken. */
export interface ToolRound extends HandoffChoice {
  /** What the tools gave, as the next round reads it (TOOL-9). */
  readonly ran: readonly ToolCallResult[];
  /** The calls and their results as they are stored. */
  readonly items: readonly HistoryItem[];
}

/** Never rejects, as the runner does not. */
export async function runToolRound(
  tools: Pick<ToolRunner, "run">,
  { calls, context, preamble = "", handoffs, planHandoff, wallNow }: ToolRoundRequest,
  onSlow: (notice: string) => void,
  signal: AbortSignal,
): Promise<ToolRound> {
  const { agent, turnId } = context;
  const ran = await tools.run(calls, context, onSlow, signal);
  const refused = packOf(agent.speech.language).sentences.handoffRefused;
  const { outcomes, handoff } = chooseHandoff(ran, handoffs, planHandoff, refused);
  return { ran, outcomes, handoff, items: toHistoryItems(turnId, agent.name, outcomes, wallNow(), preamble) };
}

/** Without the words around the calls, which are stored once, as far as they were heard, when the reply is over. */
function toHistoryItems(
  turnId: string,
  agent: string,
  outcomes: readonly ToolCallResult[],
  timestampMs: number,
  preamble: string,
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

/** A handoff changes the conversation's own record. */
function callEffects({ effects }: ToolCallResult): Pick<HistoryItem, "effects"> {
  const requested = effects.flatMap((effect) => (effect.type === "handoff" ? [] : [effect]));
  return requested.length === 0 ? {} : { effects: requested };
}
