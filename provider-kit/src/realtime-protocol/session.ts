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
import { ToldResponses } from "./told-responses.ts";

/** A dead connection is noticed after twice this time at most; until then a caller speaks to nobody. */
const pingEveryMs = 5000;
/** For the other side's part of the closing handshake. */
const closingMs = 20_000;
/**
 * About 20 s of audio that the network has not accepted: the connection is dead, even if TCP still considers it open.
 */
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
  /** The ids of the tool calls so far: several events report the same one, and a service may repeat an event. */
  readonly #calls = new Recent<true>();
  readonly #split = new SplitSamples();
  readonly #responses = new ResponseSequence({
    create: (request) => this.#request(request),
    cancel: (responseId) => this.#told.cancel(responseId),
    plain: () => this.#dialect.toResponse({}, this.#settings),
  });
  readonly #told = new ToldResponses({
    sequence: this.#responses,
    emit: (event) => this.#emit(event),
    cancelOnWire: (responseId) => this.#send({ type: "response.cancel", response_id: responseId }),
  });
  readonly #dialect: RealtimeDialect;
  /** The settings last sent to the service. */
  #settings: RealtimeSettings;
  /** Of settings, which begins before the session is open. */
  readonly exchange: SettingsExchange;
  #hasSpoken = false;
  #requests = 0;
  /** Of the newest request for a response. */
  #requestId = "";
  #sentRequest: ResponseCreate | undefined;
  /** How the newest request was sent again after refusals. */
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
    this.exchange = new SettingsExchange({
      dialect,
      logger,
      send: (event) => this.#send(event),
      onRepaired: ({ part, how }) => this.#emit({ type: "settings-repaired", part, how }),
    });
    socket.once("upgrade", (response) => this.#audio.writeTo(response.socket));
    socket.on("pong", () => {
      this.#wasHeard = true;
    });
    this.#ping();
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
   * The service removes the text of an item that is truncated, the heard words included. A model that goes on from text would forget its
   * own question, so the heard words take the item's place. One of which nothing was heard is removed: it may have no audio to cut.
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
    // The closing handshake needs the other side's answer. After that time the socket is destroyed.
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
      case "user-transcript-delta":
      case "user-transcript":
      case "user-transcript-finished":
      case "user-transcript-failed":
        this.#transcripts.receive(this.exchange.withModel(event));
        if (this.exchange.learnsFrom(event)) this.sendSettings();
        return;
      case "response-started":
        this.#told.begin(event.responseId);
        return;
      case "speech-started":
        this.#told.speechStarted();
        event = this.exchange.place(event);
        break;
      case "speech-stopped":
        event = this.exchange.place(event);
        break;
      case "response-finished":
        if (event.status === "completed") {
          this.#callersItems.answered();
          for (const other of this.#otherRequests) other.learn();
        }
        this.#otherRequests = [];
        this.#told.finish(event);
        return;
      case "session-over":
        this.end(event.error);
        return;
      case "response-refused":
        this.#told.refusedAsBusy();
        return;
      case "request-refused":
        this.#takeRefusedRequest(event);
        return;
      case "refused":
        this.#takeRefusal(event);
        return;
      case "update-failed":
        // Another connection begins with the settings of the agent who is to speak.
        if (this.exchange.isNewest(event.updateId)) this.end(event.error);
        return;
      case "audio-committed":
        this.#takeCommitted(event);
        return;
      case "audio":
        if (!this.#told.isWanted(event.responseId)) return;
        if (this.#split.isOpen) event = { ...event, samples: this.#split.join(event) };
        break;
      case "split-audio": {
        const { responseId, itemId } = event;
        if (!this.#told.isWanted(responseId)) return;
        event = { type: "audio", responseId, itemId, samples: this.#split.join(event) };
        break;
      }
      case "audio-finished":
      case "agent-text":
      case "agent-text-finished":
      case "tool-call":
        if (!this.#told.isWanted(event.responseId)) return;
        if (event.type === "tool-call" && !this.#isNewCall(event.call.id)) return;
        break;
      default:
        break;
    }
    if (event.type === "audio") {
      if (event.samples.length === 0) return; // it would pass for an answer that was heard
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
    // The agent would go on as the one before. A session that is opened anew can have another voice, for example.
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

  #request(request: ResponseCreate): void {
    this.#sentRequest = request;
    this.#requestId = `${requestIdStart}${++this.#requests}`;
    this.#send({ type: "response.create", event_id: this.#requestId, ...request });
  }

  /** For the listener it is a response that failed at once, instead of one that it waits for in vain (FAIL-1, FAIL-2). */
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
