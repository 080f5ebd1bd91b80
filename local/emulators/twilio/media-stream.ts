/**
 * One bidirectional media stream (twilio.com/docs/voice/media-streams/websocket-messages): Twilio's messages as that page shows them, audio
 * that is played at real-time pace after a delay, marks that come back when they are reached, and `clear`.
 */
import { randomBytes } from "node:crypto";
import { twilioSignatureHeader } from "@voice/shared/calls/twilio/signature";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { parseJson } from "@voice/shared/platform/parse-json";
import { decodeMulaw, encodeMulaw } from "@voice/provider-kit/audio/mulaw";
import { WebSocket } from "ws";
import { z } from "zod";

/**
 * Twilio tells three ends apart (twilio.com/docs/api/errors/): the socket could not be opened (31902, 31920); we closed it, after which the
 * next verb is executed (31921); it broke without a closing handshake, as when a host dies (31903).
 */
export type StreamEnd = "refused" | "closed" | "broken";

/** What `ws` says of a socket that closed without a closing handshake (RFC 6455 section 7.1.5). */
const closedAbnormally = 1006;

export interface MediaStreamOptions {
  readonly url: string;
  readonly signature: string;
  readonly accountSid: string;
  readonly callSid: string;
  readonly clock: Clock;
  /** The delay from the arrival of audio until it is heard. */
  readonly delayMs: number;
  /** The caller hears this, frame by frame. */
  readonly onAudio: (samples: Int16Array) => void;
  /** What the caller has not heard is dropped. */
  readonly onClear: () => void;
  readonly onOpen: () => void;
  readonly onEnded: (end: StreamEnd) => void;
}

const rateHz = 8000;
const frameMs = 20;
const frameBytes = (rateHz * frameMs) / 1000;

/** What Twilio takes; other messages are ignored (warning 31951). */
const outgoing = z.discriminatedUnion("event", [
  z.object({ event: z.literal("media"), streamSid: z.string(), media: z.object({ payload: z.base64() }) }),
  z.object({ event: z.literal("mark"), streamSid: z.string(), mark: z.object({ name: z.string() }) }),
  z.object({ event: z.literal("clear"), streamSid: z.string() }),
]);

/** `dueMs`: when it has come through the network. */
type Queued = ({ readonly bytes: Uint8Array } | { readonly mark: string }) & { readonly dueMs: number };

export class MediaStream {
  readonly sid = `MZ${randomBytes(16).toString("hex")}`;
  /** Messages that are none of the protocol's. */
  readonly faults: string[] = [];
  /** How often audio was dropped. */
  clears = 0;
  readonly #options: MediaStreamOptions;
  readonly #socket: WebSocket;
  #queue: Queued[] = [];
  #sequence = 0;
  #chunk = 0;
  #atMs = 0;
  #isOpen = false;
  #isOver = false;
  #playsAtMs = 0;
  #cancel: CancelTimer | undefined;

  constructor(options: MediaStreamOptions) {
    this.#options = options;
    this.#socket = new WebSocket(options.url, { headers: { [twilioSignatureHeader]: options.signature } });
    this.#socket.on("open", () => this.#begin());
    this.#socket.on("message", (data: Buffer) => this.#receive(data.toString()));
    this.#socket.on("error", () => undefined); // `close` follows
    this.#socket.on("close", (code: number) => this.#end(code === closedAbnormally ? "broken" : "closed"));
  }

  get isOpen(): boolean {
    return this.#isOpen && !this.#isOver;
  }

  speak(frame: Int16Array): void {
    const payload = Buffer.from(encodeMulaw(frame)).toString("base64");
    this.#atMs += frameMs;
    const media = { track: "inbound", chunk: `${++this.#chunk}`, timestamp: `${this.#atMs}`, payload };
    this.#send({ event: "media", media });
  }

  press(digit: string): void {
    this.#send({ event: "dtmf", dtmf: { track: "inbound_track", digit } });
  }

  /** Twilio ends the stream: the call is over, or does something else. */
  stop(): void {
    const { accountSid, callSid } = this.#options;
    this.#send({ event: "stop", stop: { accountSid, callSid } });
    this.#isOver = true;
    this.#cancel?.();
    this.#socket.close(1000);
  }

  /** The network loses the connection. */
  break(): void {
    this.#socket.terminate();
  }

  #begin(): void {
    const { accountSid, callSid } = this.#options;
    this.#isOpen = true;
    this.#socket.send(JSON.stringify({ event: "connected", protocol: "Call", version: "1.0.0" }));
    const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: rateHz, channels: 1 };
    const start = { accountSid, streamSid: this.sid, callSid, tracks: ["inbound"], mediaFormat, customParameters: {} };
    this.#send({ event: "start", start });
    this.#options.onOpen();
  }

  #end(end: StreamEnd): void {
    this.#cancel?.();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.onEnded(this.#isOpen ? end : "refused");
  }

  #send(message: Readonly<Record<string, unknown>>): void {
    if (!this.isOpen || this.#socket.readyState !== WebSocket.OPEN) return;
    const { event, ...rest } = message;
    this.#socket.send(JSON.stringify({ event, sequenceNumber: `${++this.#sequence}`, ...rest, streamSid: this.sid }));
  }

  #receive(text: string): void {
    const parsed = outgoing.safeParse(parseJson(text));
    if (!parsed.success || parsed.data.streamSid !== this.sid) {
      this.faults.push(text.slice(0, 200));
      return;
    }
    const { data } = parsed;
    const { clock, delayMs } = this.#options;
    const dueMs = clock.now() + delayMs;
    switch (data.event) {
      case "media":
        this.#queue.push({ bytes: Buffer.from(data.media.payload, "base64"), dueMs });
        break;
      case "mark":
        this.#queue.push({ mark: data.mark.name, dueMs });
        break;
      case "clear":
        this.#clear();
    }
    this.#play();
  }

  /** "Twilio … sends back any mark messages that were in the buffer." */
  #clear(): void {
    this.clears += 1;
    const waiting = this.#queue.flatMap((one) => ("mark" in one ? [one.mark] : []));
    this.#queue = [];
    this.#options.onClear();
    for (const name of waiting) this.#send({ event: "mark", mark: { name } });
  }

  /** One frame at a time, each when the one before it has been heard. */
  #play(): void {
    const [first] = this.#queue;
    if (this.#cancel !== undefined || first === undefined || this.#isOver) return;
    const { clock } = this.#options;
    this.#playsAtMs = Math.max(this.#playsAtMs, first.dueMs);
    this.#cancel = clock.setTimer(Math.max(0, this.#playsAtMs - clock.now()), () => {
      this.#cancel = undefined;
      const next = this.#queue.shift();
      if (next === undefined) return;
      if ("mark" in next) this.#send({ event: "mark", mark: { name: next.mark } });
      else {
        this.#options.onAudio(decodeMulaw(next.bytes));
        this.#playsAtMs += (next.bytes.length / frameBytes) * frameMs;
      }
      this.#play();
    });
  }
}
