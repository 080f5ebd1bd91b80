/** Extracts an answer from what came over the socket since the caller fell silent. Pure: records in, reply out. */
import type { ServerMessage, ServerPayloads } from "@voice/shared/contracts/stream/server-message";

export type CallRecord =
  | { readonly kind: "message"; readonly atMs: number; readonly message: ServerMessage }
  /** `audibleFrom`: the first of the samples that can be heard; -1 if none can. */
  | { readonly kind: "audio"; readonly atMs: number; readonly samples: number; readonly audibleFrom?: number };

type AgentState = Extract<ServerPayloads["event"], { name: "state_change" }>["state"];

export interface FinishedToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: unknown;
  readonly status: ServerPayloads["tool_call"]["status"];
}

export interface SaidText {
  readonly agent: string;
  readonly text: string;
  readonly turnId: string;
  readonly interrupted: boolean;
}

export type TurnMetrics = Extract<ServerPayloads["event"], { name: "turn_metrics" }>;

export interface Reply {
  /** What the recogniser made of the caller's words, final results only. */
  readonly heardText: string;
  /** What the agents answered, in order. */
  readonly says: readonly SaidText[];
  readonly toolCalls: readonly FinishedToolCall[];
  readonly handoffs: readonly ServerPayloads["handoff"][];
  readonly errors: readonly ServerPayloads["error"][];
  /** The latencies of the turns that ended, as the service counts them. */
  readonly metrics: readonly TurnMetrics[];
  /** From the caller's last audible sample to the first agent audio; absent when the agent said nothing aloud. */
  readonly firstAudioMs: number | undefined;
  /** Why the service ended the conversation, if it did. */
  readonly ended: string | undefined;
}

export function readReply(records: readonly CallRecord[], sinceMs: number): Reply {
  // Searched from the end, because this runs fifty times a second, also in long calls.
  const fresh = records.slice(records.findLastIndex(({ atMs }) => atMs < sinceMs) + 1);
  const messages = fresh.flatMap((record) => (record.kind === "message" ? [record.message] : []));
  const firstAudio = fresh.find(({ kind }) => kind === "audio");
  return {
    heardText: messages.flatMap(finalUserText).join(" "),
    says: agentTexts(messages),
    toolCalls: messages.flatMap(finishedToolCall),
    handoffs: messages.flatMap(handoff),
    errors: messages.flatMap((message) => (message.type === "error" ? [message.payload] : [])),
    metrics: messages.flatMap(turnMetrics),
    firstAudioMs: firstAudio === undefined ? undefined : firstAudio.atMs - sinceMs,
    ended: messages.flatMap(endReason)[0],
  };
}

export function hasAnswer(reply: Reply): boolean {
  return reply.says.length > 0 || reply.firstAudioMs !== undefined;
}

/** What the caller has interrupted is no answer yet: one to the words that they interrupted it with is due. */
export function hasWholeAnswer({ says, firstAudioMs }: Reply): boolean {
  return says.some(({ interrupted }) => !interrupted) || (says.length === 0 && firstAudioMs !== undefined);
}

export function latestState(records: readonly CallRecord[]): AgentState | undefined {
  const last = records.findLast((record) => record.kind === "message" && stateOf(record.message) !== undefined);
  return last?.kind === "message" ? stateOf(last.message) : undefined;
}

export function handoff(message: ServerMessage): ServerPayloads["handoff"][] {
  if (message.type === "handoff") return [message.payload];
  if (message.type !== "event" || message.payload.name !== "handoff") return [];
  const { from, to, type } = message.payload;
  return [{ from, to, type }];
}

export function finishedToolCall(message: ServerMessage): FinishedToolCall[] {
  if (message.type === "tool_call") return message.payload.status === "started" ? [] : [message.payload];
  if (message.type !== "event" || message.payload.name !== "tool_call" || message.payload.status === "started")
    return [];
  const { tool, args, result, status } = message.payload;
  return [{ name: tool, args, result, status }];
}

export function finalAgentText(message: ServerMessage): SaidText[] {
  if (message.type !== "response" && message.type !== "agent_response") return [];
  const { agent, text, turn_id: turnId, is_final: isFinal, interrupted = false } = message.payload;
  return isFinal ? [{ agent, text, turnId, interrupted }] : [];
}

export function finalUserText(message: ServerMessage): string[] {
  if (message.type !== "transcript" || message.payload.speaker !== "user" || !message.payload.is_final) return [];
  return [message.payload.text];
}

export function endReason(message: ServerMessage): string[] {
  return message.type === "event" && message.payload.name === "session_ended" ? [message.payload.reason] : [];
}

function turnMetrics(message: ServerMessage): TurnMetrics[] {
  return message.type === "event" && message.payload.name === "turn_metrics" ? [message.payload] : [];
}

/** An interrupted answer is reported twice: as it was meant, then as far as it was heard. The latter is what counts. */
function agentTexts(messages: readonly ServerMessage[]): SaidText[] {
  const says: SaidText[] = [];
  for (const said of messages.flatMap(finalAgentText)) {
    const meant = said.interrupted ? says.findLastIndex(({ turnId }) => turnId === said.turnId) : -1;
    if (meant === -1) says.push(said);
    else says[meant] = said;
  }
  return says;
}

function stateOf(message: ServerMessage): AgentState | undefined {
  if (message.type !== "event" || message.payload.name !== "state_change") return undefined;
  return message.payload.state;
}
