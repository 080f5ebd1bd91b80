/**
 * One emulated conversation: listens, decides turns, answers, handles interruptions, and keeps the history. Which event follows which is as
 * docs/vendors/voice-live.md says, with its sources; the recordings in test/fixtures/recordings are held against it.
 */
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { Clock } from "@voice/shared/platform/clock";
import type { Responder } from "../openai/emulator.ts";
import type { CompletionRequest } from "../openai/completion-request.ts";
import { createProtocolId } from "../speech/framing.ts";
import type { ClientEvent, SessionFields } from "./client-events.ts";
import { ConversationLog, toolCallMessage } from "./conversation-log.ts";
import { Listening } from "./listening.ts";
import { hearsItself } from "./refused-settings.ts";
import type { LiveSocket } from "./live-socket.ts";
import type { RefuseSettings } from "./refused-settings.ts";
import { LiveResponse } from "./response.ts";
import type { Spoken } from "./response.ts";
import { sessionDefaults } from "./session-defaults.ts";

export type ConversationParts = {
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
  readonly respond: Responder;
  readonly model: string;
  readonly refuse: RefuseSettings;
  readonly failTranscription: FailTranscription;
  readonly transcriptAfterMs: TranscriptAfterMs;
  readonly clock: Clock;
  /** What the service takes for `prefix_padding_ms` where it is sent none, by the type of the turn detection. */
  readonly ownPadding: (type: string) => number;
};

export type FailTranscription = (model: string) => boolean;

/**
 * How long after the words are understood the transcript of the caller's nth item is sent, counted from 1; infinite for never.
 * "Transcription runs asynchronously with Response creation, so this event may come before or after the Response events"
 * (`@azure/ai-voicelive`, `ServerEventConversationItemInputAudioTranscriptionCompleted`; `openai`,
 * `ConversationItemInputAudioTranscriptionCompletedEvent`); and "ordering between completion events from different speech turns is not
 * guaranteed" (OpenAI, guide to realtime transcription, which refers to `previous_item_id` of `input_audio_buffer.committed`).
 */
export type TranscriptAfterMs = (nth: number) => number;

const defaultSilenceMs = 500;
const outputRates = { pcm16: 24_000, pcm16_16000hz: 16_000, pcm16_8000hz: 8_000 } as const;

export class Conversation {
  readonly #socket: LiveSocket;
  readonly #parts: ConversationParts;
  readonly #log = new ConversationLog();
  readonly #abort = new AbortController();
  readonly #id = `sess_${createProtocolId()}`;
  #session: SessionFields = {};
  #listening: Listening | undefined;
  #response: LiveResponse | undefined;
  #running: Promise<void> = Promise.resolve();
  /** The id of the item that the caller is speaking; empty while nobody speaks. */
  #itemId = "";
  /** It waits for the transcript of what was committed before. */
  #requested: Extract<ClientEvent, { type: "response.create" }> | undefined;
  #transcripts = 0;
  /** The client ends what is being said. */
  #isCommitting = false;
  /** What was committed and is not transcribed yet, in its order. */
  readonly #committed: { readonly itemId: string; readonly previous: string | null; readonly isAnswered: boolean }[] =
    [];
  /** Events are handled strictly in order, even while a recogniser is being opened. */
  #tail: Promise<void> = Promise.resolve();

  constructor(socket: LiveSocket, parts: ConversationParts) {
    this.#socket = socket;
    this.#parts = parts;
    if (socket.reach("open")) return;
    socket.sendEvent("session.created", { session: { ...this.#fixed(), ...sessionDefaults } });
  }

  #fixed() {
    return { id: this.#id, object: "realtime.session", model: this.#parts.model };
  }

  receive(event: ClientEvent): void {
    this.#tail = this.#tail.then(() => this.#handle(event)).catch(() => this.#socket.close(1011, "internal error"));
  }

  close(): void {
    this.#abort.abort();
    this.#response?.cancel("client_cancelled");
    this.#listening?.close();
  }

  async #handle(event: ClientEvent): Promise<void> {
    switch (event.type) {
      case "session.update":
        return this.#update(event.session, event.event_id);
      case "input_audio_buffer.append":
        return await this.#hear(event.audio);
      case "input_audio_buffer.commit":
        return this.#commit();
      case "input_audio_buffer.clear":
        return this.#socket.sendEvent("input_audio_buffer.cleared");
      case "conversation.item.create":
        return this.#addItem(event);
      case "conversation.item.truncate":
        return this.#truncate(event);
      case "conversation.item.delete":
        return this.#delete(event.item_id, event.event_id);
      case "response.create":
        if (this.#committed.length === 0) return this.#respond(event.response, event.additional_instructions);
        // The service's model receives the committed audio; the emulated model reads text.
        this.#requested = event;
        return;
      case "response.cancel":
        if (this.#response === undefined) return this.#refuse("response_cancel_not_active");
        return this.#response.cancel("client_cancelled");
      default:
        return event satisfies never;
    }
  }

  #update(session: SessionFields, eventId: string | undefined): void {
    const refusal = this.#parts.refuse(session, this.#parts.model);
    if (refusal !== undefined) {
      const { code, param, manner } = refusal;
      const message = `emulated refusal of ${param}`;
      const answered = manner === undefined ? (eventId ?? null) : null;
      const error = { type: "invalid_request_error", code, param, message, event_id: answered };
      if (manner !== "close") this.#socket.sendEvent("error", { error });
      if (manner === "close") this.#socket.close(1007, message);
      if (manner === "error and close") this.#socket.close(4000, `invalid_request_error.${code}`);
      return;
    }
    this.#session = { ...this.#session, ...session };
    if (this.#socket.reach("session")) return;
    const inForce = { ...this.#fixed(), ...this.#session, turn_detection: this.#detection() };
    this.#socket.sendEvent("session.updated", { session: inForce });
  }

  /** As it is in force: "the full, effective configuration" (`@azure/ai-voicelive`, `ClientEventSessionUpdate`). */
  #detection() {
    const { turn_detection: detection } = this.#session;
    if (detection == null) return detection;
    const { prefix_padding_ms = this.#parts.ownPadding(detection.type), silence_duration_ms = defaultSilenceMs } =
      detection;
    return { ...detection, prefix_padding_ms, silence_duration_ms };
  }

  async #hear(base64: string): Promise<void> {
    const sampleRateHz = this.#session.input_audio_sampling_rate ?? 24_000;
    this.#listening ??= await Listening.open(
      {
        recogniser: this.#parts.recogniser,
        sampleRateHz,
        // "…or multi languages with auto detection, (e.g., 'en,zh')" (`@azure/ai-voicelive`, `AudioInputTranscriptionOptions.language`).
        languages: (this.#session.input_audio_transcription?.language ?? "en-US").split(","),
        phrases: this.#session.input_audio_transcription?.phrase_list ?? [],
        silenceMs: this.#detection()?.silence_duration_ms ?? defaultSilenceMs,
      },
      {
        onSpeechStarted: (atMs) => this.#speechStarted(atMs),
        onSpeechStopped: (atMs) => this.#speechStopped(atMs),
        onPartial: () => undefined,
        onTranscript: (text) => this.#transcribed(text),
        onFailed: () => this.#socket.close(1011, "recogniser failed"),
      },
      this.#abort.signal,
    );
    const bytes = Buffer.from(base64, "base64");
    const samples = new Int16Array(bytes.length >> 1);
    new Uint8Array(samples.buffer).set(bytes.subarray(0, samples.byteLength));
    this.#listening.write(samples);
  }

  /** Begins no response, whatever the turn detection is: a response follows only an end of speech that the service has detected. */
  #commit(): void {
    if (this.#itemId === "") return this.#refuse("input_audio_buffer_commit_empty");
    this.#isCommitting = true;
    this.#listening?.commit();
    this.#isCommitting = false;
    return undefined;
  }

  #speechStarted(atMs: number): void {
    this.#itemId = `item_${createProtocolId()}`;
    this.#socket.sendEvent("input_audio_buffer.speech_started", {
      // "…thus includes the `prefix_padding_ms` configured in the Session" (`ServerEventInputAudioBufferSpeechStarted`).
      audio_start_ms: Math.max(0, Math.round(atMs - (this.#detection()?.prefix_padding_ms ?? 0))),
      item_id: this.#itemId,
    });
    if (this.#session.turn_detection?.interrupt_response !== false) this.#response?.cancel("turn_detected");
  }

  #speechStopped(atMs: number): void {
    const itemId = this.#itemId;
    this.#itemId = "";
    // "…thus includes the `min_silence_duration_ms` configured in the Session" (`ServerEventInputAudioBufferSpeechStopped`).
    const endMs = Math.round(atMs + (this.#detection()?.silence_duration_ms ?? 0));
    if (!this.#isCommitting)
      this.#socket.sendEvent("input_audio_buffer.speech_stopped", { audio_end_ms: endMs, item_id: itemId });
    const previous = this.#log.takePlace(itemId);
    this.#socket.sendEvent("input_audio_buffer.committed", { previous_item_id: previous, item_id: itemId });
    const { turn_detection: detection } = this.#session;
    const isAnswered = !this.#isCommitting && detection != null && detection.create_response !== false;
    this.#committed.push({ itemId, previous, isAnswered });
  }

  #transcribed(text: string): void {
    const committed = this.#committed.shift() ?? { itemId: this.#itemId, previous: null, isAnswered: false };
    const { itemId, previous, isAnswered } = committed;
    const at = { item_id: itemId, content_index: 0 };
    const item = {
      id: itemId,
      object: "realtime.item",
      type: "message",
      status: "completed",
      role: "user",
      content: [{ type: "input_audio" }],
    };
    this.#socket.sendEvent("conversation.item.created", { previous_item_id: previous, item });
    this.#transcripts += 1;
    const afterMs = this.#parts.transcriptAfterMs(this.#transcripts);
    if (afterMs === 0) this.#sendTranscript(at, text);
    else if (afterMs !== Infinity) this.#parts.clock.setTimer(afterMs, () => this.#sendTranscript(at, text));
    if (text !== "") this.#log.add(itemId, { role: "user", content: text });
    if (isAnswered && text !== "") this.#respond();
    const requested = this.#requested;
    this.#requested = undefined;
    if (requested !== undefined) this.#respond(requested.response, requested.additional_instructions);
  }

  /** Off where it is not requested. That it fails is an event of its own, with what openai/openai-agents-js, issue 297, has recorded. */
  #sendTranscript(at: { readonly item_id: string; readonly content_index: number }, text: string): void {
    const { input_audio_transcription: transcription } = this.#session;
    if (transcription == null || this.#abort.signal.aborted) return;
    const name = "conversation.item.input_audio_transcription";
    if (this.#parts.failTranscription(transcription.model)) {
      const message = `Input transcription failed for item '${at.item_id}'.`;
      this.#socket.sendEvent(`${name}.failed`, {
        ...at,
        error: { type: "server_error", code: null, message, param: null },
      });
      return;
    }
    if (text !== "") this.#socket.sendEvent(`${name}.delta`, { ...at, delta: text });
    this.#socket.sendEvent(`${name}.completed`, { ...at, transcript: text });
  }

  #addItem({ item, previous_item_id: after }: Extract<ClientEvent, { type: "conversation.item.create" }>): void {
    const id = item.id ?? `item_${createProtocolId()}`;
    switch (item.type) {
      case "function_call":
        this.#log.add(id, toolCallMessage(item.call_id, item.name, item.arguments));
        break;
      case "function_call_output":
        if (!this.#log.hasCall(item.call_id)) return this.#refuse("invalid_tool_call_id");
        this.#log.add(id, { role: "tool", tool_call_id: item.call_id, content: item.output });
        break;
      case "message":
        this.#log.add(id, { role: item.role, content: item.content.map(({ text }) => text).join(" ") }, [], after);
    }
    const previous = after ?? this.#log.takePlace(id);
    const created = { ...item, id, object: "realtime.item", status: "completed" };
    this.#socket.sendEvent("conversation.item.created", { previous_item_id: previous, item: created });
  }

  #truncate(event: Extract<ClientEvent, { type: "conversation.item.truncate" }>): void {
    const { item_id: itemId, audio_end_ms: audioEndMs, event_id: eventId } = event;
    const keepsAudio = hearsItself(this.#parts.model, this.#session.voice?.type);
    if (!this.#log.truncate(itemId, audioEndMs, { keepsAudio }))
      return this.#refuse("item_truncate_invalid_item_id", eventId);
    const fields = { item_id: itemId, content_index: 0, audio_end_ms: audioEndMs };
    return this.#socket.sendEvent("conversation.item.truncated", fields);
  }

  #delete(itemId: string, eventId: string | undefined): void {
    if (!this.#log.delete(itemId)) return this.#refuse("item_delete_invalid_item_id", eventId);
    return this.#socket.sendEvent("conversation.item.deleted", { item_id: itemId });
  }

  #respond(options: Extract<ClientEvent, { type: "response.create" }>["response"] = {}, additional?: string): void {
    if (this.#response?.signal.aborted === false) return this.#refuse("conversation_already_has_active_response");
    const { instructions, pre_generated_assistant_message: given, tool_choice: toolChoice } = options;
    const socket = this.#socket;
    const voice = this.#session.voice ?? { name: "" };
    const response = new LiveResponse({
      socket,
      synthesiser: this.#parts.synthesiser,
      log: this.#log,
      voice,
      language: (this.#session.input_audio_transcription?.language ?? "en-US").split(",", 1).join(""),
      sampleRateHz: outputRates[this.#session.output_audio_format ?? "pcm16"],
    });
    this.#response = response;
    const decide = async (signal: AbortSignal): Promise<Spoken> => {
      if (given !== undefined) return { text: given.content.map(({ text }) => text).join(" "), toolCalls: [] };
      const answer = await this.#parts.respond(this.#toRequest({ instructions, additional, toolChoice }), signal);
      if (answer.kind !== "completion") throw new Error(`the model answered with ${answer.kind}`);
      const { text = "", toolCalls = [], finish } = answer;
      const cut = finish === "length" || finish === "content_filter" ? finish : undefined;
      return { text: typeof text === "string" ? text : text.join(""), toolCalls, cut };
    };
    this.#running = this.#runAfter(this.#running, response, decide);
    this.#running.catch(() => socket.close(1011, "internal error"));
    return undefined;
  }

  /** A cancelled response may still be winding down; its last event is sent before the next response's first. */
  async #runAfter(
    before: Promise<void>,
    response: LiveResponse,
    decide: (signal: AbortSignal) => Promise<Spoken>,
  ): Promise<void> {
    await before;
    await response.run(decide);
    if (this.#response === response) this.#response = undefined;
  }

  /** `additional` is appended to the session's instructions; `instructions` replaces them. */
  #toRequest({
    instructions,
    additional,
    toolChoice,
  }: {
    readonly instructions: string | undefined;
    readonly additional: string | undefined;
    readonly toolChoice: CompletionRequest["tool_choice"];
  }): CompletionRequest {
    const tools = (this.#session.tools ?? []).map(({ name, description, parameters }) => ({
      type: "function" as const,
      function: { name, description, parameters },
    }));
    return {
      model: this.#parts.model,
      messages: this.#log.messages(
        [instructions ?? this.#session.instructions ?? "", additional ?? []].flat().join("\n"),
      ),
      ...(tools.length > 0 && { tools, tool_choice: toolChoice }),
    };
  }

  /**
   * The codes are OpenAI's: `response_cancel_not_active` (hashintel/hash, pull request 9399), `input_audio_buffer_commit_empty`
   * (openai/openai-agents-js, issue 748), `invalid_tool_call_id` (the same, pull request 1687), and for items that do not exist those that clients
   * of the service expect. That Voice Live has the same ones is inferred from their common protocol.
   */
  #refuse(code: string, eventId?: string): void {
    const message = `emulated ${code}`;
    const error = { type: "invalid_request_error", code, message, param: null, event_id: eventId ?? null };
    this.#socket.sendEvent("error", { error });
  }
}
