/**
 * One response at a time, as the service wants it: an answer that is asked for while another is under way waits for its
 * end, and one that is called off before it has begun is cancelled the moment it begins. Pure; it decides what is sent.
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
    /** Without an id: the service says that one is under way which we have not seen begin. */
    | { readonly kind: "active"; readonly responseId: string | undefined } = { kind: "free" };
  #waiting: ResponseCreate[] = [];

  constructor(send: ResponseSender) {
    this.#send = send;
  }

  request(create: ResponseCreate): void {
    if (this.#state.kind === "free") this.#sendCreate(create);
    else this.#waiting.push(create);
  }

  /** Nothing that was asked for until now is wanted any more. Returns the response that has begun, if one has. */
  cancel(): string | undefined {
    this.#waiting = [];
    if (this.#state.kind === "requested") this.#state = { ...this.#state, isUnwanted: true };
    if (this.#state.kind !== "active" || this.#state.responseId === undefined) return undefined;
    this.#send.cancel(this.#state.responseId);
    return this.#state.responseId;
  }

  /** False when nobody wants it: it is cancelled, and none of it is for the listener. */
  begin(responseId: string): boolean {
    const isUnwanted = this.#state.kind === "requested" && this.#state.isUnwanted;
    this.#state = { kind: "active", responseId };
    if (isUnwanted) this.#send.cancel(responseId);
    return !isUnwanted;
  }

  finish(responseId: string): void {
    if (this.#state.kind === "active" && (this.#state.responseId ?? responseId) === responseId) this.#goOn();
  }

  /** The service was quicker: a response of its own is under way, ours comes after it. */
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
