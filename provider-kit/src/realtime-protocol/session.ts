/**
 * One open session: sends our commands as client events, translates the service's events, and keeps the state between
 * them.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { VoiceError, explainedError } from "@voice/shared/platform/errors";
import type { WebSocket } from "ws";
import type {
  RealtimeEvent,
  RealtimeHistoryItem,
  RealtimeListener,
  RealtimeSession,
  RealtimeSettings,
  ResponseRequest,
} from "@voice/provider-kit/ports/realtime-model";
import type { Logger } from "@voice/shared/platform/logger";
import { AudioWriter } from "./audio-writer.ts";
import { CallerTranscripts } from "./caller-transcripts.ts";
import { CallersItems } from "./callers-items.ts";
import { toConversationItem } from "./conversation-item.ts";
import type { OtherRequest, RealtimeDialect } from "./dialect.ts";
import { Recent } from "./recent.ts";
import { ResponseSequence } from "./response-sequence.ts";
import type { ResponseCreate } from "./response-sequence.ts";
import { forgettingId, requestIdStart, transcriptionFailure } from "./server-errors.ts";
import type { ParsedEvent } from "./parsed-event.ts";
import { SettingsExchange } from "./settings-exchange.ts";
import type { SettingsNegotiation } from "./session-settings.ts";
import { SplitSamples } from "./split-samples.ts";
import { NotifiedResponses } from "./notified-responses.ts";

/** A dead connection is noticed after at most twice this time; until then the caller's audio goes nowhere. */
const pingEveryMs = 5000;
/** The time limit for the other side's part of the closing handshake. */
const closingMs = 20_000;
/** About 20 s of audio that the network has not accepted: the connection is dead, even if TCP still considers it open. */
const mostBufferedBytes = 2 * 1024 * 1024;

export interface ProtocolSessionOptions {
  readonly listener: RealtimeListener;
  readonly settings: RealtimeSettings;
  readonly dialect: RealtimeDialect;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class ProtocolSession implements RealtimeSession {
  readonly #socket: WebSocket;
  readonly #audio: AudioWriter;
  readonly #listener: RealtimeListener;
  readonly #clock: Clock;
  readonly #callersItems = new CallersItems();
  readonly #transcripts = new CallerTranscripts((event) => this.#emit(event));
  /** The ids of the tool calls so far, because several events report the same call, and a service may repeat an event. */
  readonly #calls = new Recent<true>();
  readonly #split = new SplitSamples();
  readonly #responses = new ResponseSequence({
    create: (request) => this.#request(request),
    cancel: (responseId) => this.#notified.cancel(responseId),
    plain: () => this.#dialect.toResponse({}, this.#settings),
  });
  readonly #notified = new NotifiedResponses(
    this.#responses,
    (event) => this.#emit(event),
    (responseId) => this.#send({ type: "response.cancel", response_id: responseId }),
  );
  readonly #dialect: RealtimeDialect;
  /** The settings last sent to the service. */
  #settings: RealtimeSettings;
  /** Exchanges settings; used before the session is open. */
  readonly exchange: SettingsExchange;
  #hasSpoken = false;
  #requests = 0;
  /** The id of the newest request for a response. */
  #requestId = "";
  #sentRequest: ResponseCreate | undefined;
  /** The alternative forms in which the newest request was repeated after rejections. */
  #otherRequests: OtherRequest[] = [];
  #isOpen = true;
  #wasHeard = true;
  #cancelPing: CancelTimer = () => {};

  constructor(socket: WebSocket, options: ProtocolSessionOptions) {
    this.#socket = socket;
    this.#audio = new AudioWriter(socket);
    this.#listener = options.listener;
    this.#clock = options.clock;
    this.#dialect = options.dialect;
    this.#settings = options.settings;
    const { dialect, logger } = options;
    this.exchange = new SettingsExchange(
      dialect,
      logger,
      (event) => this.#send(event),
      ({ part, how }) => this.#emit({ type: "settings-repaired", part, how }),
    );
    socket.once("upgrade", (response) => this.#audio.writeTo(response.socket));
    socket.on("pong", () => {
      this.#wasHeard = true;
    });
    // A socket that is still connecting throws when it is pinged.
    socket.once("open", () => this.#ping());
  }

  update(settings: RealtimeSettings): void {
    this.#settings = settings;
    if (this.#dialect.serves(settings)) this.sendSettings();
    else this.end(explainedError("upstream_unavailable", "the next agent has another realtime model"));
  }

  sendSettings(begun?: SettingsNegotiation): void {
    this.exchange.begin(this.#dialect.toSession(this.#settings, !this.#hasSpoken), begun);
  }

  appendAudio(samples: Int16Array): void {
    if (!this.#isOpen) return;
    if (this.#socket.bufferedAmount > mostBufferedBytes) {
      this.end(explainedError("upstream_unavailable", "the realtime model takes no more audio"));
      return;
    }
    this.#audio.append(samples);
  }

  commitAudio(): void {
    this.#send({ type: "input_audio_buffer.commit" });
  }

  sendText(text: string): void {
    this.#addItem({ role: "user", text }, this.#callersItems.typed());
  }

  remember(items: readonly RealtimeHistoryItem[]): void {
    for (const item of items) this.#addItem(item);
  }

  sendToolResult(callId: string, resultJson: string): void {
    this.#addItem({ role: "tool-result", callId, resultJson });
  }

  respond(options: ResponseRequest = {}): void {
    this.#responses.request(this.#dialect.toResponse(options, this.#settings));
  }

  respondIfFree(): void {
    this.#responses.requestIfFree(this.#dialect.toResponse({}, this.#settings));
  }

  cancelResponse(): void {
    this.#responses.cancel();
  }

  /**
   * The service removes the whole text of an item that is truncated, including the part that was heard. A model that continues from text
   * would forget its own question, so the heard text replaces the item. An item of which nothing was heard is removed, because it may have
   * no audio to truncate.
   */
  truncate(itemId: string, audioEndMs: number, heard: string): void {
    const ours = { event_id: forgettingId };
    const audio_end_ms = Math.floor(audioEndMs);
    if (audio_end_ms > 0) {
      this.#send({ type: "conversation.item.truncate", ...ours, item_id: itemId, content_index: 0, audio_end_ms });
      if (this.#dialect.hearsItself(this.#settings)) return;
    }
    const item = toConversationItem({ role: "assistant", text: heard }, this.#dialect.assistantContent);
    if (heard !== "") this.#send({ type: "conversation.item.create", ...ours, previous_item_id: itemId, item });
    this.#send({ type: "conversation.item.delete", ...ours, item_id: itemId });
  }

  forgetCaller(): void {
    for (const itemId of this.#callersItems.take())
      this.#send({ type: "conversation.item.delete", event_id: forgettingId, item_id: itemId });
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#cancelPing();
    this.#socket.close(1000);
    // The closing handshake needs a response from the other side. After this time the socket is destroyed.
    const cancelTerminate = this.#clock.setTimer(closingMs, () => this.#socket.terminate());
    this.#socket.once("close", cancelTerminate);
  }

  /** The service or the network ended the session. */
  end(error: VoiceError): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#cancelPing();
    this.#socket.terminate();
    this.#listener.onEnded(error);
  }

  receive(event: ParsedEvent): void {
    if (!this.#isOpen) return;
    this.#wasHeard = true;
    switch (event.type) {
      case "nothing":
      case "session-created":
        return;
      case "session-updated":
        this.exchange.takeUpdated(event);
        return;
      case "warning":
        return this.exchange.takeWarning(event);
      case "user-transcript-delta":
      case "user-transcript":
      case "user-transcript-finished":
      case "user-transcript-failed":
        this.#transcripts.receive(this.exchange.withModel(event));
        if (this.exchange.learnsFrom(event)) this.sendSettings();
        return;
      case "response-started":
        return this.#notified.begin(event.responseId);
      case "speech-started":
        this.#notified.speechStarted();
        event = this.exchange.place(event);
        break;
      case "speech-stopped":
        event = this.exchange.place(event);
        break;
      case "response-finished":
        if (event.status === "completed") this.#callersItems.answered();
        this.#learnFrom(event);
        this.#notified.finish(event);
        return;
      case "session-over":
        this.end(event.error);
        return;
      case "response-refused":
        this.#notified.refusedAsBusy();
        return;
      case "request-refused":
        this.#takeRefusedRequest(event);
        return;
      case "refused":
        this.#takeRefusal(event);
        return;
      case "update-failed":
        // The new connection starts with the settings of the agent that is to speak.
        if (this.exchange.isNewest(event.updateId)) this.end(event.error);
        return;
      case "audio-committed":
        this.#takeCommitted(event);
        return;
      case "audio":
      case "split-audio":
      case "audio-finished":
      case "agent-text":
      case "agent-text-finished":
      case "tool-call": {
        const { responseId } = event;
        this.#notified.beginIfNew(responseId);
        if (!this.#notified.isForListener(responseId)) return;
        if (event.type === "tool-call" && !this.#isNewCall(event.call.id)) return;
        if (event.type === "split-audio" || (event.type === "audio" && this.#split.isOpen))
          event = { type: "audio", responseId, itemId: event.itemId, samples: this.#split.join(event) };
        break;
      }
      default:
        break;
    }
    if (event.type === "audio") {
      if (event.samples.length === 0) return; // empty audio would look like a response that was heard
      this.#hasSpoken = true;
    }
    this.#emit(event);
  }

  #isNewCall(id: string): boolean {
    const isNew = !this.#calls.has(id);
    this.#calls.set(id, true);
    return isNew;
  }

  #takeCommitted(event: Extract<ParsedEvent, { type: "audio-committed" }>): void {
    const { itemId } = event;
    this.#callersItems.heard(itemId);
    this.#emit(event);
    if (this.exchange.transcribes(itemId)) return;
    const error = transcriptionFailure("no_transcription");
    this.#transcripts.receive({ type: "user-transcript-failed", itemId, error });
  }

  #takeRefusal(event: Extract<ParsedEvent, { type: "refused" }>): void {
    const outcome = this.exchange.takeRefused(event, { isOpening: false });
    if (outcome === "foreign") this.#emit({ type: "error", error: event.error });
    if (outcome !== "hopeless") return;
    // Without these settings the agent would continue as its predecessor. A session that is opened anew can have another voice, for
    // example.
    const { reason } = event.error;
    this.end(
      new VoiceError("upstream_unavailable", "the realtime model refused the settings of the next agent", { reason }),
    );
  }

  #takeRefusedRequest({ requestId, error }: Extract<ParsedEvent, { type: "request-refused" }>): void {
    const isNewest = requestId === this.#requestId;
    const isForGood = !error.retryable && error.code !== "rate_limited";
    const refused = this.#sentRequest;
    const other =
      isNewest && isForGood && refused ? this.#dialect.respondOtherwise(refused, this.#settings) : undefined;
    if (other !== undefined && this.#responses.requestAgain(other.create)) {
      this.#otherRequests.push(other);
      return;
    }
    this.#otherRequests = [];
    this.#emit({ type: "error", error });
    if (isNewest && this.#responses.refused()) this.#failRequest(requestId);
  }

  /** A response that the service has begun by itself says nothing of the form of our request. */
  #learnFrom({ responseId, status }: Extract<ParsedEvent, { type: "response-finished" }>): void {
    const origin = this.#responses.originOf(responseId);
    if (origin === "unasked") return;
    if (origin === "requested" && status === "completed") for (const other of this.#otherRequests) other.learn();
    this.#otherRequests = [];
  }

  #request(request: ResponseCreate): void {
    this.#sentRequest = request;
    this.#requestId = `${requestIdStart}${++this.#requests}`;
    this.#send({ type: "response.create", event_id: this.#requestId, ...request });
  }

  /** For the listener this is a response that failed at once, rather than one that it waits for in vain (FAIL-1, FAIL-2). */
  #failRequest(responseId: string): void {
    this.#emit({ type: "response-started", responseId });
    this.#emit({ type: "response-finished", responseId, status: "failed" });
  }

  #addItem(item: RealtimeHistoryItem, id?: string): void {
    const made = toConversationItem(item, this.#dialect.assistantContent);
    this.#send({ type: "conversation.item.create", item: id === undefined ? made : { id, ...made } });
  }

  #emit(event: RealtimeEvent): void {
    this.#listener.onEvent(event);
  }

  #send(event: Readonly<Record<string, unknown>>): void {
    if (this.#isOpen) this.#socket.send(JSON.stringify(event));
  }

  #ping(): void {
    this.#cancelPing = this.#clock.setTimer(pingEveryMs, () => {
      if (!this.#wasHeard) {
        this.end(explainedError("upstream_timeout", "the realtime model's connection is dead"));
        return;
      }
      this.#wasHeard = false;
      this.#socket.ping();
      this.#ping();
    });
  }
}
