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
      return new RecordedRealtimeSession(session, settings, (messages, tools) => {
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

class RecordedRealtimeSession implements RealtimeSession {
  readonly #session: RealtimeSession;
  readonly #sent: Sent;

  constructor(session: RealtimeSession, settings: RealtimeSettings, sent: Sent) {
    this.#session = session;
    this.#sent = sent;
    this.#sendSettings(settings);
  }

  update(settings: RealtimeSettings): void {
    this.#sendSettings(settings);
    this.#session.update(settings);
  }

  remember(items: readonly RealtimeHistoryItem[]): void {
    if (items.length > 0) this.#sent(items.map(messageOf), []);
    this.#session.remember(items);
  }

  respond(how?: Parameters<RealtimeSession["respond"]>[0]): void {
    const asked = how?.say ?? how?.instructions;
    if (asked !== undefined) this.#sent([{ role: "system", content: asked }], []);
    this.#session.respond(how);
  }

  sendText(text: string): void {
    this.#sent([{ role: "user", content: text }], []);
    this.#session.sendText(text);
  }

  sendToolResult(callId: string, resultJson: string): void {
    this.#sent([{ role: "tool", content: resultJson }], []);
    this.#session.sendToolResult(callId, resultJson);
  }

  appendAudio(samples: Int16Array): void {
    this.#session.appendAudio(samples);
  }

  commitAudio(): void {
    this.#session.commitAudio();
  }

  respondIfFree(): void {
    this.#session.respondIfFree();
  }

  cancelResponse(): void {
    this.#session.cancelResponse();
  }

  truncate(itemId: string, audioEndMs: number, heard: string): void {
    this.#session.truncate(itemId, audioEndMs, heard);
  }

  forgetCaller(): void {
    this.#session.forgetCaller();
  }

  close(): void {
    this.#session.close();
  }

  #sendSettings({ instructions, tools }: RealtimeSettings): void {
    this.#sent([{ role: "system", content: instructions }], tools);
  }
}

function messageOf(item: RealtimeHistoryItem): SentMessage {
  if (item.role === "tool-call") return { role: "assistant", content: "", toolCalls: [item.call] };
  if (item.role === "tool-result") return { role: "tool", content: item.resultJson };
  return { role: item.role, content: item.text };
}
