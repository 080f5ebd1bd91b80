/**
 * Has every request of a conversation to its models recorded: to a language model when the request has ended, to a realtime model when it
 * is sent.
 */
import type { LanguageModel, ModelEvent, ModelRequest } from "@voice/provider-kit/ports/language-model";
import type {
  RealtimeHistoryItem,
  RealtimeModel,
  RealtimeSession,
  RealtimeSettings,
} from "@voice/provider-kit/ports/realtime-model";
import { changedSession } from "@voice/provider-kit/realtime-protocol/changed-session";
import type { Clock } from "@voice/shared/platform/clock";
import type { SentMessage, SentRequest } from "./sent-requests.ts";

type Record = (request: SentRequest) => void;

export function recordedLanguageModel(model: LanguageModel, clock: Clock, record: Record): LanguageModel {
  const { contextTokens, mayBeginInThought } = model;
  return {
    stream: (request, signal) => recorded(request, signal, { model, clock, record }),
    ...(contextTokens && { contextTokens: contextTokens.bind(model) }),
    ...(mayBeginInThought && { mayBeginInThought: mayBeginInThought.bind(model) }),
  };
}

interface Recording {
  readonly model: LanguageModel;
  readonly clock: Clock;
  readonly record: Record;
}

async function* recorded(
  request: ModelRequest,
  signal: AbortSignal,
  { model, clock, record }: Recording,
): AsyncGenerator<ModelEvent> {
  const [sentMs, atMs] = [clock.now(), clock.wallNow()];
  let outcome: SentRequest["outcome"] = "cancelled";
  let firstEventMs: number | undefined;
  let finished: Extract<ModelEvent, { type: "finished" }> | undefined;
  try {
    for await (const event of model.stream(request, signal)) {
      firstEventMs ??= clock.now() - sentMs;
      if (event.type === "finished") finished = event;
      yield event;
    }
    outcome = "completed";
  } catch (error) {
    outcome = signal.aborted ? "cancelled" : "failed";
    throw error;
  } finally {
    const { deploymentId, ...settings } = request.settings;
    const { messages, tools, toolChoice, agent } = request;
    const tookMs = clock.now() - sentMs;
    record({
      atMs,
      kind: "language_model",
      agent: agent.name,
      model: finished?.usage?.model ?? (deploymentId === "" ? undefined : deploymentId),
      settings: { ...settings, ...(toolChoice !== undefined && { toolChoice }) },
      messages,
      tools,
      outcome,
      firstEventMs,
      tookMs,
      finishReason: finished?.reason,
      usage: finished?.usage,
    });
  }
}

/** A realtime model has a conversation of its own: what is sent are its settings, the history before, and requests for responses. */
export function recordedRealtimeModel(realtime: RealtimeModel, clock: Clock, record: Record): RealtimeModel {
  return {
    async open(settings, listener, signal) {
      const session = await realtime.open(settings, listener, signal);
      return recordedSession(session, settings, (messages, tools) => {
        const { model, instructions: _prompt, tools: _tools, phrases: _phrases, ...others } = settings;
        record({
          atMs: clock.wallNow(),
          kind: "realtime_model",
          agent: undefined,
          model,
          settings: others,
          messages,
          tools,
          outcome: "sent",
        });
      });
    },
  };
}

type Sent = (messages: readonly SentMessage[], tools: RealtimeSettings["tools"]) => void;

function recordedSession(session: RealtimeSession, first: RealtimeSettings, sent: Sent): RealtimeSession {
  const sendSettings = ({ instructions, tools }: RealtimeSettings): void =>
    sent([{ role: "system", content: instructions }], tools);
  sendSettings(first);
  return changedSession(session, {
    update(settings) {
      sendSettings(settings);
      session.update(settings);
    },
    remember(items) {
      if (items.length > 0) sent(items.map(messageOf), []);
      session.remember(items);
    },
    respond(how) {
      const asked = how?.say ?? how?.instructions;
      if (asked !== undefined) sent([{ role: "system", content: asked }], []);
      session.respond(how);
    },
    sendText(text) {
      sent([{ role: "user", content: text }], []);
      session.sendText(text);
    },
    sendToolResult(callId, resultJson) {
      sent([{ role: "tool", content: resultJson }], []);
      session.sendToolResult(callId, resultJson);
    },
  });
}

function messageOf(item: RealtimeHistoryItem): SentMessage {
  if (item.role === "tool-call") return { role: "assistant", content: "", toolCalls: [item.call] };
  if (item.role === "tool-result") return { role: "tool", content: item.resultJson };
  return { role: item.role, content: item.text };
}
