/** A socket that reconnects: reports its state and its messages, and tries again according to the policy. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

import { describeServiceProblem, isUnanswered, ServiceProblem } from "./service-problem.ts";
import { isRefused } from "./is-refused.ts";
import { decideReconnect, patienceMs } from "./reconnect-policy.ts";
import { RenewedAccess } from "./renewed-access.ts";
import { SignsOfLife } from "./signs-of-life.ts";
import type { Address } from "./socket-address.ts";
import type { WhenBack } from "./when-back.ts";

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

type OpenBrowserSocket = (url: string, events: SocketEvents) => BrowserSocket;

/** What the browser gives to every socket of the page. */
export interface SocketSurroundings {
  readonly clock: Clock;
  readonly openSocket: OpenBrowserSocket;
  readonly random: () => number;
  readonly whenBack: WhenBack;
  /** What a page shows of a request that failed; by default what the service has answered. */
  readonly describeProblem?: (error: unknown) => string;
}

export interface ReconnectingSocketOptions {
  /** The service answers a `ping`; its silence then means that the network is gone. */
  readonly answersPings?: boolean;
  /** A page that only shows something may be left alone, so it tries for as long as it is open. */
  readonly neverGivesUp?: boolean;
  /**
   * Requested anew for each attempt, because a resumed session has another address than a new one, and a ticket opens only one socket. If
   * it is refused, no further attempt is made. Also requested while the socket is open, for a ticket that renews it.
   */
  readonly url: () => Address | Promise<Address>;
  /**
   * Where a request for a ticket gets no answer, the socket is opened here without one: a service that does not allow the page's origin says
   * so there, but not over HTTP, whose answers the browser withholds from such a page.
   */
  readonly urlWithoutTicket?: () => string;
  /** A browser does not report to its page why a handshake was refused. Rejects if the address is invalid because of what it requests. */
  readonly checkRequest?: () => Promise<void>;
  readonly onState: (state: ConnectionState) => void;
  readonly onText: (text: string) => void;
  /** Where absent, the service sends text alone. */
  readonly onBinary?: (bytes: ArrayBuffer) => void;
}

/** What a browser reports if the connection could not be opened. */
const lostCode = 1006;
const pong = '{"type":"pong"';
/** What a service of an older version answers to a `ping`, beside this page while the service is being replaced. */
const unknownPing = /^\{"type":"error".*"Unknown message type/;
/** For the ticket and the handshake. Each takes a few seconds at most if it succeeds, while browsers would wait for minutes. */
const longestAttemptMs = 20_000;
/**
 * It counts as working once it has been open for longer than a session may take to open (HS-7). A service that always closes what it has
 * just opened is not contacted eight times a second.
 */
const steadyMs = 15_000;

export class ReconnectingSocket {
  readonly #surroundings: SocketSurroundings;
  readonly #options: ReconnectingSocketOptions;
  #state: ConnectionState = { kind: "idle" };
  #socket: BrowserSocket | undefined;
  /** Cancels the timer of the next attempt, or the one that limits the current attempt. */
  #cancelTimer: CancelTimer | undefined;
  #stopNoticing: (() => void) | undefined;
  /** The attempt whose address is being requested, or whose failure is looked into; the results of earlier ones are ignored. */
  #current: symbol | undefined;
  /** Failures since it last worked. */
  #failures = 0;
  #downSinceMs = 0;
  #openedAtMs: number | undefined;
  readonly #access: RenewedAccess;
  readonly #life: SignsOfLife;

  constructor(surroundings: SocketSurroundings, options: ReconnectingSocketOptions) {
    this.#surroundings = surroundings;
    this.#options = options;
    this.#access = new RenewedAccess(surroundings.clock, options.url, (text) => this.send(text));
    this.#life = new SignsOfLife(
      surroundings.clock,
      () => this.send(JSON.stringify({ type: "ping" })),
      () => this.#notThere(),
    );
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
    this.#cancelTimer = this.#surroundings.clock.setTimer(longestAttemptMs, () => this.#notThere());
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
    const { openSocket, clock } = this.#surroundings;
    const { onText, onBinary } = this.#options;
    const socket = openSocket(typeof address === "string" ? address : address.url, {
      onOpen: () => {
        if (this.#socket !== socket) return;
        this.#cancelTimer?.();
        this.#openedAtMs = clock.now();
        this.#access.begin(address);
        this.#setState({ kind: "open" });
        if (this.#options.answersPings === true) this.#life.begin();
      },
      onText: (text) => {
        if (this.#socket !== socket) return;
        const isAnswer = text.startsWith(pong);
        this.#life.heard(isAnswer);
        if (!isAnswer && !unknownPing.test(text)) onText(text);
      },
      onBinary: (bytes) => {
        if (this.#socket !== socket) return;
        this.#life.heard(false);
        onBinary?.(bytes);
      },
      onClose: (code, reason) => {
        if (this.#socket === socket) this.#closed(code, reason);
      },
    });
    this.#socket = socket;
  }

  /** A network that loses everything does not even report an error. */
  #notThere(): void {
    this.#drop();
    this.#closed(lostCode, "");
  }

  #withoutAddress(error: unknown): void {
    if (isRefused(error)) return this.#refused(error);
    const { urlWithoutTicket } = this.#options;
    if (isUnanswered(error) && urlWithoutTicket !== undefined) return this.#openAt(urlWithoutTicket());
    const retryAfterS = error instanceof ServiceProblem ? error.retryAfterS : undefined;
    this.#closed(lostCode, this.#describe(error), retryAfterS && retryAfterS * 1000);
  }

  #refused(problem: unknown): void {
    this.#drop();
    this.#setState({ kind: "closed", reason: "refused", detail: this.#describe(problem) });
  }

  #describe(error: unknown): string {
    return (this.#surroundings.describeProblem ?? describeServiceProblem)(error);
  }

  /** Runs while further attempts are made, because the service may only be away for a moment. */
  async #lookIntoFailure(): Promise<void> {
    const failed = Symbol("failed");
    this.#current = failed;
    try {
      await this.#options.checkRequest?.();
    } catch (error) {
      if (this.#current === failed && isRefused(error)) this.#refused(error);
    }
  }

  #closed(code: number, detail: string, notBeforeMs?: number): void {
    this.#socket = undefined;
    this.#drop();
    const { random, clock } = this.#surroundings;
    const { neverGivesUp = false } = this.#options;
    const now = clock.now();
    const wasOpen = this.#openedAtMs !== undefined;
    if (this.#openedAtMs !== undefined && now - this.#openedAtMs >= steadyMs) this.#failures = 0;
    this.#openedAtMs = undefined;
    if (this.#failures === 0) this.#downSinceMs = now;
    const failure = { code, attempt: this.#failures, downMs: now - this.#downSinceMs, notBeforeMs };
    const decision = decideReconnect(
      { ...failure, patienceMs: neverGivesUp ? Number.POSITIVE_INFINITY : patienceMs },
      random(),
    );
    if (decision.kind === "give-up") {
      this.#setState({ kind: "closed", reason: decision.reason, detail });
      return;
    }
    this.#failures += 1;
    this.#cancelTimer = clock.setTimer(decision.delayMs, () => this.#attempt());
    this.#setState({ kind: "waiting", attempt: this.#failures, delayMs: decision.delayMs });
    if (!wasOpen) void this.#lookIntoFailure();
  }

  /** Later events of the old socket are ignored. */
  #drop(): void {
    this.#cancelTimer?.();
    this.#access.stop();
    this.#life.stop();
    const socket = this.#socket;
    this.#socket = undefined;
    this.#current = undefined;
    socket?.close();
  }

  #setState(state: ConnectionState): void {
    this.#state = state;
    this.#stopNoticing?.();
    const isAway = state.kind === "waiting" || (state.kind === "closed" && state.reason === "unreachable");
    this.#stopNoticing = isAway ? this.#surroundings.whenBack(() => this.open()) : undefined;
    this.#options.onState(state);
  }
}
