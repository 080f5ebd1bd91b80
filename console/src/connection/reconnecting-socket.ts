/** A socket that comes back: tells its owner how it is doing and what arrives, and tries again by the policy. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

import { ApiProblem } from "../api/api-problem.ts";
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
  /**
   * Asked anew for each attempt: a resumed session has another address than a new one, and a ticket opens one socket. An
   * `ApiProblem` with which it rejects is the service's last word.
   */
  readonly url: () => string | Promise<string>;
  readonly onState: (state: ConnectionState) => void;
  readonly onText: (text: string) => void;
  readonly onBinary: (bytes: ArrayBuffer) => void;
}

/** What a browser reports where there is no connection to speak of. */
const lostCode = 1006;

export class ReconnectingSocket {
  readonly #options: ReconnectingSocketOptions;
  #state: ConnectionState = { kind: "idle" };
  #socket: BrowserSocket | undefined;
  #cancelRetry: CancelTimer | undefined;
  /** The attempt whose address is being asked for; what an earlier one gets is of no use any more. */
  #current: symbol | undefined;
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
    const attempt = Symbol("attempt");
    this.#current = attempt;
    this.#setState({ kind: "connecting", attempt: this.#failures });
    const url = this.#options.url();
    if (typeof url === "string") this.#openAt(url);
    else
      void url.then(
        (address) => (this.#current === attempt ? this.#openAt(address) : undefined),
        (error: unknown) => (this.#current === attempt ? this.#withoutAddress(error) : undefined),
      );
  }

  #openAt(url: string): void {
    const { openSocket, onText, onBinary } = this.#options;
    const socket = openSocket(url, {
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

  #withoutAddress(error: unknown): void {
    if (error instanceof ApiProblem && error.status < 500)
      this.#setState({ kind: "closed", reason: "refused", detail: error.message });
    else this.#closed(lostCode, "");
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
    this.#current = undefined;
    socket?.close();
  }

  #setState(state: ConnectionState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}
