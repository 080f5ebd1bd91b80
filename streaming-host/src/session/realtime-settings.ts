/** What a realtime model is told about the agent that has the floor. */
import type { RealtimeHistoryItem, RealtimeSettings } from "../providers/ports/realtime-model.ts";
import type { ToolRunner } from "../pipeline/cascade/agent-loop.ts";
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
