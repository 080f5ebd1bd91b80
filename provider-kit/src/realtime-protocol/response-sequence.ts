/**
 * Enforces the service's limit of one response at a time: a response that is requested while another is active waits until that one ends,
 * and one that is cancelled before it has started is cancelled as soon as it starts. It performs no I/O itself; it only decides what to
 * send.
 */

export type ResponseCreate = Readonly<Record<string, unknown>>;

export interface ResponseSender {
  create(response: ResponseCreate): void;
  cancel(responseId: string): void;
  /** A request for a response to what the caller has said. */
  plain(): ResponseCreate;
}

/**
 * The origin of a response that has started. `requested`: it answers our request as far as is known; the service may still reject that
 * request, because it started this response by itself at the same moment. `unwanted`: it is no longer needed and was cancelled.
 */
export type Beginning = "requested" | "unasked" | "unwanted";

interface Requested {
  readonly kind: "requested";
  /** Undefined if it is not requested again where the service is busy. */
  readonly create: ResponseCreate | undefined;
  readonly isUnwanted: boolean;
}

interface Active {
  readonly kind: "active";
  /** Undefined if the service reports an active response whose start was not received. */
  readonly responseId: string | undefined;
  /** Our request, which this response may answer, or which may still be rejected because the service started this one at the same moment. */
  readonly create?: ResponseCreate | undefined;
  /** The response was cancelled because our request for it was no longer needed. */
  readonly forUnwanted?: boolean;
  /** The response began after our request, which has not been rejected since. */
  readonly isRequested?: boolean;
}

export class ResponseSequence {
  readonly #send: ResponseSender;
  #state: { readonly kind: "free" } | Requested | Active = { kind: "free" };
  #waiting: ResponseCreate[] = [];

  constructor(send: ResponseSender) {
    this.#send = send;
  }

  request(create: ResponseCreate): void {
    if (this.#state.kind === "free") this.#sendCreate(create);
    else this.#waiting.push(create);
  }

  /** Requests a response unless one is active. If the service has started one at the same moment, that one is the response. */
  requestIfFree(create: ResponseCreate): void {
    if (this.#state.kind !== "free") return;
    this.#state = { kind: "requested", create: undefined, isUnwanted: false };
    this.#send.create(create);
  }

  /** Cancels everything requested so far. Returns the id of the response that has started, if there is one. */
  cancel(): string | undefined {
    this.#waiting = [];
    if (this.#state.kind === "requested") this.#state = { ...this.#state, isUnwanted: true };
    if (this.#state.kind !== "active" || this.#state.responseId === undefined) return undefined;
    const { responseId, isRequested = false } = this.#state;
    this.#state = { kind: "active", responseId, isRequested };
    this.#send.cancel(responseId);
    return responseId;
  }

  begin(responseId: string): Beginning {
    const asked = this.#state.kind === "requested" ? this.#state : undefined;
    if (asked?.isUnwanted === true) {
      this.#state = { kind: "active", responseId, forUnwanted: true };
      this.#send.cancel(responseId);
      return "unwanted";
    }
    this.#state = { kind: "active", responseId, create: asked?.create, isRequested: asked !== undefined };
    return asked === undefined ? "unasked" : "requested";
  }

  /** The origin of this response, by what is known now. */
  originOf(responseId: string): Beginning {
    if (this.#state.kind !== "active" || (this.#state.responseId ?? responseId) !== responseId) return "unasked";
    if (this.#state.forUnwanted === true) return "unwanted";
    return this.#state.isRequested === true ? "requested" : "unasked";
  }

  finish(responseId: string): void {
    if (this.#state.kind === "active" && (this.#state.responseId ?? responseId) === responseId) this.#goOn();
  }

  /** The service has already started a response of its own, so ours is sent after that one, whether or not we know of it yet. */
  refusedAsBusy(): void {
    const refused = this.#state;
    if (refused.kind === "free") return;
    // What was cancelled in place of ours was the service's own response to the caller, who still waits for one.
    if (refused.kind === "active" && refused.forUnwanted === true) this.#waiting.unshift(this.#send.plain());
    if (refused.create !== undefined && !(refused.kind === "requested" && refused.isUnwanted))
      this.#waiting.unshift(refused.create);
    this.#state = { kind: "active", responseId: refused.kind === "active" ? refused.responseId : undefined };
  }

  /** The service rejected the form of our request, which is now sent in another form. Returns false if it was no longer needed. */
  requestAgain(create: ResponseCreate): boolean {
    if (this.#state.kind !== "requested" || this.#state.isUnwanted) return false;
    this.#state = { ...this.#state, create: this.#state.create && create };
    this.#send.create(create);
    return true;
  }

  /** The service rejected our request for another reason, and will not respond to it. Returns false if it was no longer needed. */
  refused(): boolean {
    if (this.#state.kind !== "requested") return false;
    const { isUnwanted } = this.#state;
    this.#goOn();
    return !isUnwanted;
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
