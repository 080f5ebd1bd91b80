/** An accepted connection that fails in the way chosen for it. */
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "@voice/shared/platform/clock";
import type { WebSocket } from "ws";
import type { Fault } from "./fault.ts";

export type FaultySocketOptions<Phase extends string> = {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly fault: Fault<Phase> | undefined;
  readonly clock: Clock;
};

export class FaultySocket<Phase extends string> {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #fault: Fault<Phase> | undefined;
  readonly #clock: Clock;
  #isBroken = false;
  #isClosed = false;

  constructor(socket: WebSocket, { url, headers, fault, clock }: FaultySocketOptions<Phase>) {
    this.#socket = socket;
    this.url = url;
    this.headers = headers;
    this.#fault = fault;
    this.#clock = clock;
    this.closed = new Promise((resolve) => {
      socket.once("close", (code) => {
        this.#isClosed = true;
        resolve(code);
      });
    });
  }

  isClosed(): boolean {
    return this.#isClosed;
  }

  /** True if the fault takes effect at this phase; nothing more is sent from then on. */
  reach(phase: Phase): boolean {
    const fault = this.#fault;
    if (this.#isBroken) return true;
    if (fault === undefined || !("at" in fault) || fault.at !== phase) return false;
    this.#isBroken = true;
    if (fault.kind === "close") this.#socket.close(fault.code, fault.reason ?? "");
    if (fault.kind === "drop") this.#socket.terminate();
    return true;
  }

  send(data: string | Buffer): void {
    if (this.#isBroken || this.#isClosed) return;
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
