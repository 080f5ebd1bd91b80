/**
 * `/browser/conversation` (spec 4.10): receives binary PCM16 or `audio_data`; sends `audio` as base64 or, after `config.audio_output:
 * "binary"`, as binary frames. Handoffs and tool calls are sent inside `event`, as in the spec's table for browsers.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { bytesFromSamples, samplesFromBase64, samplesFromBytes } from "@voice/provider-kit/audio/pcm16";
import { deliverClientText } from "../deliver-client-message.ts";
import type { ClientMessageTarget } from "../deliver-client-message.ts";
import { encodeAudioMessage, encodeMessage } from "../envelope.ts";
import type { CloseReason } from "../close-reasons.ts";
import { GuardedSocket } from "../guarded-socket.ts";
import { messageText } from "../message-text.ts";
import type { Socket } from "../socket.ts";
import type { SessionNotice, Transport, TransportEvents } from "../transport.ts";

/** Browsers play through their own jitter buffer and share the connection with everything else on the page. */
const browserLeadMs = 300;

const oddBytes = "Audio must be 16-bit samples: an even number of bytes.";

export class BrowserTransport implements Transport {
  readonly channel = "browser";
  readonly leadMs = browserLeadMs;
  readonly sampleRateHz: number;
  readonly #clock: Clock;
  readonly #socket: GuardedSocket;
  #sessionId = "";
  #target: ClientMessageTarget | undefined;
  #audioOutput: "base64" | "binary" = "base64";

  constructor(socket: Socket, clock: Clock, sampleRateHz: number) {
    this.#clock = clock;
    this.sampleRateHz = sampleRateHz;
    this.#socket = new GuardedSocket(socket, clock, {
      onMessage: (data, isBinary) => this.#receive(data, isBinary),
      onTooFrequent: () => this.#refuse("rate_limited", "Too many messages a second."),
      onClosed: (reason) => this.#target?.events.onClosed(reason),
    });
  }

  setSession(id: string): void {
    this.#sessionId = id;
  }

  start(events: TransportEvents): void {
    this.#target = {
      events,
      onAudioData: (base64) => {
        if (Buffer.byteLength(base64, "base64") % 2 === 0) events.onAudio(samplesFromBase64(base64));
        else this.#refuse("validation_error", oddBytes);
      },
      onConfig: ({ audio_output: wanted }) => {
        this.#audioOutput = wanted ?? this.#audioOutput;
      },
      onPing: () => this.#socket.send(encodeMessage("pong", this.#sessionId, this.#clock.wallNow(), {})),
      refuse: (problem) => this.#refuse("validation_error", problem),
    };
    this.#socket.start();
  }

  sendAudio(frame: Int16Array): void {
    if (this.#audioOutput === "binary") this.#socket.send(bytesFromSamples(frame));
    else this.#socket.send(encodeAudioMessage(this.#sessionId, this.#clock.wallNow(), frame, this.sampleRateHz));
  }

  /** Nothing is sent here: the browser drops its queue on the `barge_in` event, which says why. */
  stopAudio(): void {}

  notify(notice: SessionNotice): void {
    const sessionId = this.#sessionId;
    const atMs = this.#clock.wallNow();
    this.#socket.notify(notice, () => encodeNotice(notice, sessionId, atMs));
  }

  probe(onAnswered: () => void): void {
    this.#socket.probe(onAnswered);
  }

  close(reason: CloseReason): void {
    this.#socket.close(reason);
  }

  #receive(data: Uint8Array, isBinary: boolean): void {
    const target = this.#target;
    if (target === undefined) return;
    if (!isBinary) deliverClientText(messageText(data), target);
    else if (data.length % 2 === 0) target.events.onAudio(samplesFromBytes(data));
    else target.refuse(oddBytes);
  }

  #refuse(code: string, message: string): void {
    this.notify({ type: "error", payload: { code, message } });
  }
}

function encodeNotice(notice: SessionNotice, sessionId: string, wallMs: number): string {
  const { type, payload } = toBrowserNotice(notice);
  return encodeMessage(type, sessionId, wallMs, payload);
}

function toBrowserNotice(notice: SessionNotice): SessionNotice {
  if (notice.type === "handoff") return { type: "event", payload: { ...notice.payload, name: "handoff" } };
  if (notice.type !== "tool_call") return notice;
  return { type: "event", payload: { ...notice.payload, name: "tool_call", tool: notice.payload.name } };
}
