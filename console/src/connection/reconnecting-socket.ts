/** A socket that comes back: tells its owner how it is doing and what arrives, and tries again by the policy. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

import { decideReconnect } from "./reconnect-policy.ts";

export type ConnectionState =
  | { readonly kind: "idle" }
  | { readonly kind: "connecting"; readonly attempt: number }
  | { readonly kind: "open" }
  | { readonly kind: "waiting"; readonly attempt: number; readonly delayMs: number }
  | { readonly kind: "closed"; readonly reason: "ended" | "refused" | "unreachable"; readonly detail: string };

export interface SocketEvents {
  onOpen(): void;
  onText(text: string): void;
  onBinary(bytes: ArrayBuffer): void;
  onClose(code: number, reason: string): void;
}

/** One attempt's socket. */
export interface BrowserSocket {
  send(data: string | ArrayBuffer): void;
  close(): void;
}

export type OpenBrowserSocket = (url: string, events: SocketEvents) => BrowserSocket;

export interface ReconnectingSocketOptions {
  readonly clock: Clock;
  readonly openSocket: OpenBrowserSocket;
  readonly random: () => number;
  /** Asked anew for each attempt: a resumed session has another address than a new one. */
  readonly url: () => string;
  readonly onState: (state: ConnectionState) => void;
  readonly onText: (text: string) => void;
  readonly onBinary: (bytes: ArrayBuffer) => void;
}

export class ReconnectingSocket {
  readonly #options: ReconnectingSocketOptions;
  #state: ConnectionState = { kind: "idle" };
  #socket: BrowserSocket | undefined;
  #cancelRetry: CancelTimer | undefined;
  /** Failures since the last time it was open. */
  #failures = 0;

  constructor(options: ReconnectingSocketOptions) {
    this.#options = options;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Opens it, or tries at once if it was waiting to. Does nothing while it is open or opening. */
  open(): void {
    if (this.#state.kind === "open" || this.#state.kind === "connecting") return;
    this.#failures = 0;
    this.#attempt();
  }

  /** False when it is not open and the data went nowhere. */
  send(data: string | ArrayBuffer): boolean {
    if (this.#state.kind !== "open" || this.#socket === undefined) return false;
    this.#socket.send(data);
    return true;
  }

  close(): void {
    if (this.#state.kind === "idle" || this.#state.kind === "closed") return;
    this.#drop();
    this.#setState({ kind: "closed", reason: "ended", detail: "" });
  }

  #attempt(): void {
    this.#drop();
    this.#setState({ kind: "connecting", attempt: this.#failures });
    const { openSocket, url, onText, onBinary } = this.#options;
    const socket = openSocket(url(), {
      onOpen: () => {
        if (this.#socket !== socket) return;
        this.#failures = 0;
        this.#setState({ kind: "open" });
      },
      onText: (text) => {
        if (this.#socket === socket) onText(text);
      },
      onBinary: (bytes) => {
        if (this.#socket === socket) onBinary(bytes);
      },
      onClose: (code, reason) => {
        if (this.#socket === socket) this.#closed(code, reason);
      },
    });
    this.#socket = socket;
  }

  #closed(code: number, detail: string): void {
    this.#socket = undefined;
    const decision = decideReconnect(code, this.#failures, this.#options.random());
    if (decision.kind === "give-up") {
      this.#setState({ kind: "closed", reason: decision.reason, detail });
      return;
    }
    this.#failures += 1;
    this.#setState({ kind: "waiting", attempt: this.#failures, delayMs: decision.delayMs });
    this.#cancelRetry = this.#options.clock.setTimer(decision.delayMs, () => this.#attempt());
  }

  /** Whatever the old socket still says is nobody's business any more. */
  #drop(): void {
    this.#cancelRetry?.();
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #setState(state: ConnectionState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}
