/**
 * Keeps to the service's limit of one response at a time: a response that is requested while another is active waits
 * until that one ends, and one that is cancelled before it has begun is cancelled as soon as it begins. It performs no
 * I/O itself; it only decides what to send.
 */

export type ResponseCreate = Readonly<Record<string, unknown>>;

export interface ResponseSender {
  create(response: ResponseCreate): void;
  cancel(responseId: string): void;
}

export class ResponseSequence {
  readonly #send: ResponseSender;
  #state:
    | { readonly kind: "free" }
    | { readonly kind: "requested"; readonly create: ResponseCreate; readonly isUnwanted: boolean }
    /** Without an id: the service reports an active response whose beginning we have not seen. */
    | { readonly kind: "active"; readonly responseId: string | undefined } = { kind: "free" };
  #waiting: ResponseCreate[] = [];

  constructor(send: ResponseSender) {
    this.#send = send;
  }

  request(create: ResponseCreate): void {
    if (this.#state.kind === "free") this.#sendCreate(create);
    else this.#waiting.push(create);
  }

  /** Cancels everything requested so far. Returns the id of the response that has begun, if there is one. */
  cancel(): string | undefined {
    this.#waiting = [];
    if (this.#state.kind === "requested") this.#state = { ...this.#state, isUnwanted: true };
    if (this.#state.kind !== "active" || this.#state.responseId === undefined) return undefined;
    this.#send.cancel(this.#state.responseId);
    return this.#state.responseId;
  }

  /** Returns false if the response is no longer wanted: it is then cancelled, and the listener receives none of it. */
  begin(responseId: string): boolean {
    const isUnwanted = this.#state.kind === "requested" && this.#state.isUnwanted;
    this.#state = { kind: "active", responseId };
    if (isUnwanted) this.#send.cancel(responseId);
    return !isUnwanted;
  }

  finish(responseId: string): void {
    if (this.#state.kind === "active" && (this.#state.responseId ?? responseId) === responseId) this.#goOn();
  }

  /** The service has already started a response of its own, so ours is sent after that one. */
  refusedAsBusy(): void {
    if (this.#state.kind !== "requested") return;
    const { create, isUnwanted } = this.#state;
    if (!isUnwanted) this.#waiting.unshift(create);
    this.#state = { kind: "active", responseId: undefined };
  }

  #goOn(): void {
    this.#state = { kind: "free" };
    const next = this.#waiting.shift();
    if (next !== undefined) this.#sendCreate(next);
  }

  #sendCreate(create: ResponseCreate): void {
    this.#state = { kind: "requested", create, isUnwanted: false };
    this.#send.create(create);
  }
}
