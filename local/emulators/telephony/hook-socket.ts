/**
 * The platform's end of a hook socket: numbers its messages, checks the sequence numbers it receives, and records
 * messages and protocol faults, as the vendor's reference client does (audiohook-reference-implementation, clientwebsocket.ts).
 */
import type { Clock } from "@voice/shared/platform/clock";
import { WebSocket } from "ws";
import { parseServerHookMessage } from "./server-messages.ts";
import type { ServerHookMessage } from "./server-messages.ts";

export interface HookSocketOptions {
  readonly url: URL;
  readonly sessionId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly onOpen: () => void;
  readonly onMessage: (message: ServerHookMessage) => void;
  readonly onAudio: (bytes: Uint8Array) => void;
  /** The service has broken the protocol; the fault is recorded already. */
  readonly onFault: (code: number, problem: string) => void;
  readonly onClose: (code: number) => void;
}

export class HookSocket {
  readonly faults: string[] = [];
  readonly received: ServerHookMessage[] = [];
  readonly #options: HookSocketOptions;
  readonly #socket: WebSocket;
  readonly #startedMs: number;
  #sent = 0;
  #heard = 0;

  constructor(options: HookSocketOptions) {
    const { url, headers, clock } = options;
    this.#options = options;
    this.#startedMs = clock.now();
    this.#socket = new WebSocket(url, { headers, perMessageDeflate: false, followRedirects: false });
    this.#socket.on("open", () => options.onOpen());
    this.#socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) options.onAudio(data);
      else this.#receiveText(data.toString("utf8"));
    });
    this.#socket.on("error", (error) => this.addFault(error.message));
    this.#socket.on("close", (code) => options.onClose(code));
  }

  /** Returns the message's sequence number, or the last one used if the socket is no longer open. */
  send(type: string, parameters: object): number {
    if (this.#socket.readyState !== WebSocket.OPEN) return this.#sent;
    this.#sent++;
    const { clock, sessionId: id } = this.#options;
    const position = `PT${((clock.now() - this.#startedMs) / 1000).toFixed(3)}S`;
    this.#socket.send(
      JSON.stringify({ version: "2", id, type, seq: this.#sent, serverseq: this.#heard, position, parameters }),
    );
    return this.#sent;
  }

  sendAudio(chunk: Uint8Array): void {
    this.#socket.send(Uint8Array.from(chunk));
  }

  addFault(problem: string): void {
    this.faults.push(problem);
  }

  close(): void {
    this.#socket.close(1000);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #receiveText(text: string): void {
    let message: ServerHookMessage;
    try {
      message = parseServerHookMessage(text);
    } catch (error) {
      this.#fault(400, `the service sent what nobody can read: ${String(error)}`);
      return;
    }
    this.received.push(message);
    if (message.seq !== this.#heard + 1) this.#fault(400, `seq ${message.seq} after ${this.#heard}`);
    this.#heard = message.seq;
    if (message.clientseq > this.#sent)
      this.#fault(400, `clientseq ${message.clientseq}, but only ${this.#sent} were sent`);
    if (message.id !== this.#options.sessionId) this.#fault(400, "the id is another session's");
    this.#options.onMessage(message);
  }

  #fault(code: number, problem: string): void {
    this.addFault(problem);
    this.#options.onFault(code, problem);
  }
}
