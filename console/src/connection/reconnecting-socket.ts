/** A socket that reconnects: reports its state and its messages, and tries again according to the policy. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

import { ApiProblem, describeProblem } from "../api/api-problem.ts";
import { decideReconnect } from "./reconnect-policy.ts";
import { RenewedAccess } from "./renewed-access.ts";
import type { Address } from "./socket-address.ts";

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
  /** A page that only shows something may be left alone, so it tries for as long as it is open. */
  readonly neverGivesUp?: boolean;
  /**
   * Requested anew for each attempt, because a resumed session has another address than a new one, and a ticket opens
   * only one socket. If it rejects with an `ApiProblem`, no further attempt is made. Also requested while the socket is
   * open, for a ticket that renews it.
   */
  readonly url: () => Address | Promise<Address>;
  readonly onState: (state: ConnectionState) => void;
  readonly onText: (text: string) => void;
  readonly onBinary: (bytes: ArrayBuffer) => void;
}

/** What a browser reports if the connection could not be opened. */
const lostCode = 1006;

export class ReconnectingSocket {
  readonly #options: ReconnectingSocketOptions;
  #state: ConnectionState = { kind: "idle" };
  #socket: BrowserSocket | undefined;
  #cancelRetry: CancelTimer | undefined;
  /** The attempt whose address is being requested; the results of earlier ones are ignored. */
  #current: symbol | undefined;
  /** Failures since the last time it was open. */
  #failures = 0;
  readonly #access: RenewedAccess;

  constructor(options: ReconnectingSocketOptions) {
    this.#options = options;
    this.#access = new RenewedAccess({
      clock: options.clock,
      ask: options.url,
      send: (text) => this.send(text),
    });
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Opens the socket, or tries at once if it was waiting to. Does nothing while it is open or opening. */
  open(): void {
    if (this.#state.kind === "open" || this.#state.kind === "connecting") return;
    this.#failures = 0;
    this.#attempt();
  }

  /** False if it is not open, so that the data was not sent. */
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
    const address = this.#options.url();
    if (!(address instanceof Promise)) this.#openAt(address);
    else
      void address.then(
        (found) => (this.#current === attempt ? this.#openAt(found) : undefined),
        (error: unknown) => (this.#current === attempt ? this.#withoutAddress(error) : undefined),
      );
  }

  #openAt(address: Address): void {
    const { openSocket, onText, onBinary } = this.#options;
    const socket = openSocket(typeof address === "string" ? address : address.url, {
      onOpen: () => {
        if (this.#socket !== socket) return;
        this.#failures = 0;
        this.#access.begin(address);
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
      this.#setState({ kind: "closed", reason: "refused", detail: describeProblem(error) });
    else this.#closed(lostCode, describeProblem(error));
  }

  #closed(code: number, detail: string): void {
    this.#socket = undefined;
    this.#access.stop();
    const { random, neverGivesUp = false } = this.#options;
    const decision = decideReconnect(
      code,
      this.#failures,
      random(),
      neverGivesUp ? Number.POSITIVE_INFINITY : undefined,
    );
    if (decision.kind === "give-up") {
      this.#setState({ kind: "closed", reason: decision.reason, detail });
      return;
    }
    this.#failures += 1;
    this.#setState({ kind: "waiting", attempt: this.#failures, delayMs: decision.delayMs });
    this.#cancelRetry = this.#options.clock.setTimer(decision.delayMs, () => this.#attempt());
  }

  /** Later events of the old socket are ignored. */
  #drop(): void {
    this.#cancelRetry?.();
    this.#access.stop();
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
