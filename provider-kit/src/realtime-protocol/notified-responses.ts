/**
 * Which responses the listener is told of, and what of them. One at a time, because their words would be mixed: a newer one is what the
 * caller waits for. Each begins and ends once, from its first event to its end, although a service may leave out that it begins, say
 * so after its first words, or repeat itself. One that begins while another is requested may be either: the service says which when it
 * refuses the request, as a rule long before the first words, with which the listener is told otherwise, or when the caller speaks.
 */
import type { RealtimeEvent } from "@voice/provider-kit/ports/realtime-model";
import { Recent } from "./recent.ts";
import type { ResponseSequence } from "./response-sequence.ts";

export interface ToldResponsesOptions {
  readonly sequence: Pick<ResponseSequence, "begin" | "finish" | "refusedAsBusy">;
  readonly emit: (event: RealtimeEvent) => void;
  readonly cancelOnWire: (responseId: string) => void;
}

/**
 * `begun`: the listener is not told yet, because nobody knows whether it was requested. `told`: the listener knows that it has begun. `cancelled`: the same, but what may still arrive of it is not wanted; its end is.
 * `untold`: cancelled before it began or when a newer one did, so the listener is not told of its end. `over`: it has ended.
 */
type Progress = "begun" | "told" | "cancelled" | "untold" | "over";

export class ToldResponses {
  readonly #options: ToldResponsesOptions;
  readonly #progress = new Recent<Progress>();
  /** The newest one that the listener is or will be told of, until it ends. */
  #current: string | undefined;

  constructor(options: ToldResponsesOptions) {
    this.#options = options;
  }

  /** Whether the listener is to have something of this response, which begins with it if it has not begun. */
  isWanted(responseId: string): boolean {
    if (responseId !== this.#current) this.begin(responseId);
    this.#tellBegun(responseId); // which may have it cancelled
    const progress = this.#progress.get(responseId);
    return progress !== "cancelled" && progress !== "untold";
  }

  begin(responseId: string): void {
    if (this.#progress.has(responseId)) return;
    this.#progress.set(responseId, "begun");
    this.#supersede();
    const beginning = this.#options.sequence.begin(responseId);
    if (beginning === "unwanted") {
      this.#progress.set(responseId, "untold");
      return;
    }
    this.#current = responseId;
    if (beginning === "unasked") this.#tellBegun(responseId, { isUnasked: true });
  }

  /** The service has begun a response by itself, and what we requested comes after it. */
  refusedAsBusy(): void {
    this.#options.sequence.refusedAsBusy();
    this.#tellBegun(this.#current, { isUnasked: true });
  }

  /** The caller speaks, over a response that has begun. */
  speechStarted(): void {
    this.#tellBegun(this.#current);
  }

  cancel(responseId: string): void {
    const progress = this.#progress.get(responseId);
    if (progress === "told") this.#progress.set(responseId, "cancelled");
    if (progress === "begun") this.#progress.set(responseId, "untold");
    this.#options.cancelOnWire(responseId);
  }

  finish(event: Extract<RealtimeEvent, { type: "response-finished" }>): void {
    const { responseId, usage } = event;
    const { sequence, emit } = this.#options;
    this.begin(responseId);
    this.#tellBegun(responseId);
    const progress = this.#progress.get(responseId);
    if (progress === "over") return;
    this.#progress.set(responseId, "over");
    if (this.#current === responseId) this.#current = undefined;
    sequence.finish(responseId);
    if (progress !== "untold") emit(event);
    else if (usage !== undefined) emit({ type: "used", what: "response", usage });
  }

  /** Unless the listener knows that it has begun, or is not to be told. */
  #tellBegun(responseId: string | undefined, whose: { readonly isUnasked?: boolean } = {}): void {
    if (responseId === undefined || this.#progress.get(responseId) !== "begun") return;
    this.#progress.set(responseId, "told");
    this.#options.emit({ type: "response-started", responseId, ...whose });
  }

  #supersede(): void {
    const responseId = this.#current;
    const progress = responseId === undefined ? undefined : this.#progress.get(responseId);
    if (responseId === undefined || (progress !== "told" && progress !== "begun")) return;
    this.#progress.set(responseId, "untold");
    this.#options.cancelOnWire(responseId);
    if (progress === "told") this.#options.emit({ type: "response-finished", responseId, status: "cancelled" });
  }
}
