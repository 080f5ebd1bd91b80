/**
 * One open session: sends our commands as client events, translates the service's events, and keeps the state between
 * them.
 */
import { createHash } from "node:crypto";
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
import type { RealtimeDialect, WireObject } from "./dialect.ts";
import { Recent } from "./recent.ts";
import { ResponseSequence } from "./response-sequence.ts";
import type { ResponseCreate } from "./response-sequence.ts";
import { forgettingId, requestIdStart, updateId } from "./server-errors.ts";
import type { ParsedEvent } from "./parsed-event.ts";
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
  readonly #logger: Logger;
  /** The settings last sent to the service. */
  #settings: RealtimeSettings;
  /** Of the settings as the service got them last. Prompt and tools themselves are some kilobytes for each session. */
  #sentDigest = "";
  /** Once they are not those with which the session was opened. */
  #updateId: { readonly event_id?: string } = {};
  #hasSpoken = false;
  #requests = 0;
  /** Of the newest request for a response. */
  #requestId = "";
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
    this.#logger = options.logger;
    socket.once("upgrade", (response) => this.#audio.writeTo(response.socket));
    socket.on("pong", () => {
      this.#wasHeard = true;
    });
    this.#ping();
  }

  update(settings: RealtimeSettings): void {
    this.#settings = settings;
    this.#updateId = { event_id: updateId };
    this.sendSettings();
  }

  sendSettings(): void {
    const session = this.#dialect.toSession(this.#settings, !this.#hasSpoken);
    this.#sentDigest = digestOf(session);
    this.#send({ type: "session.update", ...this.#updateId, session });
  }

  /**
   * Sends the settings again without a part that the service has refused. Returns false if they were sent without it and so
   * cannot be better; another session may have been told of the same part meanwhile.
   */
  updateWithout(part: string): boolean {
    this.#dialect.leaveOut(part, this.#settings);
    if (digestOf(this.#dialect.toSession(this.#settings, !this.#hasSpoken)) === this.#sentDigest) return false;
    this.#logger.warn({ part }, "the realtime model refused a part of the settings, going on without it");
    this.sendSettings();
    return true;
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

  truncate(itemId: string, audioEndMs: number): void {
    this.#send({
      type: "conversation.item.truncate",
      event_id: forgettingId,
      item_id: itemId,
      content_index: 0,
      audio_end_ms: Math.max(0, Math.floor(audioEndMs)),
    });
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
      case "session-updated":
        return;
      case "user-transcript-delta":
      case "user-transcript":
      case "user-transcript-finished":
        this.#transcripts.receive(event);
        return;
      case "response-started":
        this.#told.begin(event.responseId);
        return;
      case "speech-started":
        this.#told.speechStarted();
        break;
      case "response-finished":
        if (event.status === "completed") this.#callersItems.answered();
        this.#told.finish(event);
        return;
      case "session-over":
        this.end(event.error);
        return;
      case "response-refused":
        this.#told.refusedAsBusy();
        return;
      case "request-refused":
        this.#emit({ type: "error", error: event.error });
        if (event.requestId === this.#requestId && this.#responses.refused()) this.#failRequest(event.requestId);
        return;
      case "update-refused":
        // The agent would go on as the one before. A session that is opened anew can have another voice, for example.
        this.end(
          new VoiceError("upstream_unavailable", "the realtime model refused the settings of the next agent", {
            reason: event.error.reason,
          }),
        );
        return;
      case "part-refused":
        if (!this.updateWithout(event.part)) this.#emit({ type: "error", error: event.error });
        return;
      case "audio-committed":
        this.#callersItems.heard(event.itemId);
        break;
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

  #request(request: ResponseCreate): void {
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

function digestOf(settings: WireObject): string {
  return createHash("sha256").update(JSON.stringify(settings)).digest("base64");
}
