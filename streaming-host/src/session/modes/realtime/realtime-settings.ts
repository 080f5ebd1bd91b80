/** A realtime model's session settings for the active agent. */
import { withoutWithdrawn } from "@voice/shared/conversation/withdrawn-effects";
import type { RealtimeHistoryItem, RealtimeSettings } from "@voice/provider-kit/ports/realtime-model";
import { promptAt } from "../../../pipeline/prompt-at.ts";
import type { ToolRunner } from "../../../pipeline/tool-round.ts";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { languageSettings } from "../../turn/language-settings.ts";
import type { TurnSettings } from "../../turn/turn-settings.ts";
import type { LanguagePack } from "@voice/shared/languages/language-pack";
import type { Conversation } from "../../conversation/conversation.ts";
import { interruptedHere, saidInPerson } from "../../../pipeline/cascade/model-messages.ts";
import { expectedPhrases } from "../cascade/recognition-hints.ts";

export interface RealtimeTurnSettings extends Pick<
  TurnSettings,
  "silenceMs" | "idleMs" | "bargeInEnabled" | "deadAirMs" | "fillerMs"
> {
  readonly language: string;
  /** SPEECH-26. */
  readonly noiseReduction?: "near" | "far" | "off" | undefined;
}

/** The settings of turns in the language that is being spoken. Asked for at every event, and the same until an agent with another language has the floor. */
export function settingsIn(spoken: () => LanguagePack, settings: Omit<TurnSettings, "language">): () => TurnSettings {
  let made: { readonly of: LanguagePack; readonly settings: TurnSettings } | undefined;
  return () => {
    const pack = spoken();
    if (made?.of !== pack) made = { of: pack, settings: { ...settings, language: languageSettings(pack).language } };
    return made.settings;
  };
}

export function realtimeSettings(
  conversation: Conversation,
  tools: ToolRunner,
  sampleRateHz: number,
  turn: RealtimeTurnSettings,
  wallNowMs: number,
  callerName?: () => string | undefined,
): RealtimeSettings {
  const { agent, catalog, memory } = conversation;
  const { previousAgent, handoffReason } = conversation.arrival ?? {};
  const {
    deploymentId,
    temperature,
    maxTokens: maxOutputTokens,
    reasoningEffort,
    parallelToolCalls,
  } = agent.model.realtime;
  return {
    instructions: promptAt(wallNowMs, catalog, agent, { memory, previousAgent, handoffReason }),
    voice: agent.voice,
    tools: tools.definitions(agent),
    sampleRateHz,
    language: agent.speech.language ?? turn.language,
    candidateLanguages: agent.speech.candidateLanguages,
    phrases: expectedPhrases(agent, callerName),
    model: deploymentId,
    temperature,
    maxOutputTokens,
    reasoningEffort,
    parallelToolCalls,
    turnDetection: {
      kind: "semantic",
      silenceMs: agent.speech.vadSilenceTimeoutMs ?? turn.silenceMs,
      interruptsResponse: turn.bargeInEnabled,
    },
    noiseSuppression: turn.noiseReduction !== "off",
    hearsRoom: turn.noiseReduction === "far",
    echoCancellation: true,
  };
}

/** The most items of the history that a connection is sent: enough to continue. Older facts are in the prompt's memory, or lost. */
const maxHistoryItems = 30;

export function realtimeHistory(conversation: Conversation): RealtimeHistoryItem[] {
  const known = withoutWithdrawn(conversation.knownHistory).slice(-maxHistoryItems);
  const calls = new Set(known.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)));
  return known.flatMap((item) => toRealtimeItems(item, calls));
}

/** The service would refuse a tool result whose call is not in the shortened history. */
function toRealtimeItems(item: HistoryItem, calls: ReadonlySet<string>): RealtimeHistoryItem[] {
  const { role, content: text, toolCalls = [], toolCallId, interrupted, brokenOff } = item;
  if (role === "tool")
    return toolCallId !== undefined && calls.has(toolCallId)
      ? [{ role: "tool-result", callId: toolCallId, resultJson: text }]
      : [];
  if (role === "system") return [remark(text)];
  if (item.author === "person") return text === "" ? [] : [remark(saidInPerson(text))];
  const said: RealtimeHistoryItem[] = text === "" ? [] : [{ role, text }];
  // HIST-5, MODEL-16
  if (role === "assistant" && text !== "" && interrupted && brokenOff === undefined) said.push(remark(interruptedHere));
  return [...said, ...toolCalls.map((call): RealtimeHistoryItem => ({ role: "tool-call", call }))];
}

/** What nobody has said. The services' conversations have no such items that they accept in every place. */
export function remark(text: string): RealtimeHistoryItem {
  return { role: "user", text: `[${text}]` };
}

/** What the model's own history cannot express: tools that already ran for the open turn. */
export function realtimeContinuation(done: readonly HistoryItem[]): string | undefined {
  const results = done.filter(({ role }) => role === "tool").map(({ toolName, content }) => `${toolName}: ${content}`);
  if (results.length === 0) return undefined;
  return `For the caller's last words these tools have run already; do not call them again, and go on with what they gave:\n${results.join("\n")}`;
}
