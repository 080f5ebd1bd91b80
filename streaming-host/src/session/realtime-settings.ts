/** What a realtime model is told about the agent that has the floor. */
import type { RealtimeHistoryItem, RealtimeSettings } from "../providers/ports/realtime-model.ts";
import type { ToolRunner } from "../pipeline/cascade/agent-loop.ts";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { Conversation } from "./conversation.ts";

export interface RealtimeTurnSettings {
  readonly silenceMs: number;
  readonly bargeInEnabled: boolean;
  readonly language: string;
}

export function realtimeSettings(
  conversation: Conversation,
  tools: ToolRunner,
  sampleRateHz: number,
  turn: RealtimeTurnSettings,
): RealtimeSettings {
  const { agent, catalog, memory } = conversation;
  const { temperature, maxTokens: maxOutputTokens } = agent.model.realtime;
  return {
    instructions: catalog.renderPrompt(agent, { memory }),
    voice: agent.voice,
    tools: tools.definitions(agent),
    sampleRateHz,
    language: turn.language,
    phrases: agent.speech.phrases,
    temperature,
    maxOutputTokens,
    turnDetection: {
      kind: "semantic",
      silenceMs: agent.speech.vadSilenceTimeoutMs ?? turn.silenceMs,
      interruptsResponse: turn.bargeInEnabled,
    },
    noiseSuppression: true,
    echoCancellation: true,
  };
}

/** Enough for the model to go on; older things are in the prompt's memory or forgotten. */
const maxHistoryItems = 30;

export function realtimeHistory(conversation: Conversation): RealtimeHistoryItem[] {
  return conversation.knownHistory.slice(-maxHistoryItems).flatMap(({ role, content: text }) => {
    if (text === "" || (role !== "user" && role !== "assistant")) return [];
    return [{ role, text }];
  });
}

/** What the model's own history cannot say: tools that ran for the turn which is open. */
export function realtimeContinuation(done: readonly HistoryItem[]): string | undefined {
  const results = done.filter(({ role }) => role === "tool").map(({ toolName, content }) => `${toolName}: ${content}`);
  if (results.length === 0) return undefined;
  return `For the caller's last words these tools have run already; do not call them again, and go on with what they gave:\n${results.join("\n")}`;
}
