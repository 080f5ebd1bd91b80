/** One accepted connection: what it said, and a way to answer that obeys the fault chosen for it. */
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "@voice/shared/platform/clock";
import type { WebSocket } from "ws";
import type { FaultPhase, SpeechFault } from "./fault.ts";
import { formatTextMessage } from "./framing.ts";
import type { SpeechMessage } from "./framing.ts";

export type SeenConnection = {
  readonly service: "recognition" | "synthesis";
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Paths of the messages received, in order, audio not included. */
  readonly paths: readonly string[];
  /** Bodies of text messages by path, the last of each. */
  readonly bodies: ReadonlyMap<string, string>;
  /** Sizes of the audio payloads received. */
  readonly audioBytes: readonly number[];
  /** Everything received as audio, without the headers. */
  audio(): Buffer;
  readonly closed: Promise<number>;
  isClosed(): boolean;
};

export type SpeechSocketOptions = {
  readonly service: SeenConnection["service"];
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly fault: SpeechFault | undefined;
  readonly clock: Clock;
};

export class SpeechSocket implements SeenConnection {
  readonly service: SeenConnection["service"];
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly paths: string[] = [];
  readonly bodies = new Map<string, string>();
  readonly audioBytes: number[] = [];
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #fault: SpeechFault | undefined;
  readonly #clock: Clock;
  readonly #audio: Buffer[] = [];
  #broken = false;
  #closed = false;

  constructor(socket: WebSocket, options: SpeechSocketOptions) {
    this.#socket = socket;
    this.service = options.service;
    this.url = options.url;
    this.headers = options.headers;
    this.#fault = options.fault;
    this.#clock = options.clock;
    this.closed = new Promise((resolve) => {
      socket.once("close", (code) => {
        this.#closed = true;
        resolve(code);
      });
    });
  }

  isClosed(): boolean {
    return this.#closed;
  }

  audio(): Buffer {
    return Buffer.concat(this.#audio);
  }

  record(message: SpeechMessage): void {
    if (message.body.kind === "text") {
      this.paths.push(message.path);
      this.bodies.set(message.path, message.body.text);
    } else if (message.path === "audio") {
      this.audioBytes.push(message.body.bytes.length);
      this.#audio.push(message.body.bytes);
    }
  }

  /** True when the connection goes wrong here; the caller then sends nothing more. */
  reach(phase: FaultPhase): boolean {
    const fault = this.#fault;
    if (this.#broken) return true;
    if (fault === undefined || !("at" in fault) || fault.at !== phase) return false;
    this.#broken = true;
    if (fault.kind === "close") this.#socket.close(fault.code, fault.reason ?? "");
    if (fault.kind === "drop") this.#socket.terminate();
    return true;
  }

  sendText(path: string, requestId: string, body: unknown): void {
    this.send(formatTextMessage(path, requestId, body));
  }

  send(data: string | Buffer): void {
    if (this.#broken || this.#closed) return;
    if (this.#fault?.kind === "slow") this.#clock.setTimer(this.#fault.delayMs, () => this.#transmit(data));
    else this.#transmit(data);
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  #transmit(data: string | Buffer): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(data);
  }
}
