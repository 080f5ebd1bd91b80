/**
 * Decides of which responses the listener is notified, and what it receives of them: only one at a time, because their words would be mixed.
 * A newer response is the one that the caller waits for. The listener gets one start and one end of each response, although a service may
 * leave out the start, send it after the first words, or repeat it.
 *
 * A response that starts while another one is requested may be either the requested one or the service's own. That is known when the service
 * rejects the request, usually long before the first words, when the first words arrive, or when the caller speaks.
 */
import type { RealtimeEvent } from "@voice/provider-kit/ports/realtime-model";
import { Recent } from "./recent.ts";
import type { ResponseSequence } from "./response-sequence.ts";

/**
 * `started`: the listener is not notified yet, because it is not known whether the response was requested. `notified`: the listener knows that
 * it has started. `cancelled`: the same, but of what may still arrive only its end is passed on. `withheld`: it was cancelled before the
 * listener was notified, or when a newer one started, so its end is not passed on either. `ended`: it has ended.
 */
type Progress = "started" | "notified" | "cancelled" | "withheld" | "ended";

export class NotifiedResponses {
  readonly #sequence: Pick<ResponseSequence, "begin" | "finish" | "refusedAsBusy">;
  readonly #emit: (event: RealtimeEvent) => void;
  readonly #cancelOnWire: (responseId: string) => void;
  readonly #progress = new Recent<Progress>();
  /** The newest response of which the listener is or will be notified, until it ends. */
  #current: string | undefined;

  constructor(
    sequence: Pick<ResponseSequence, "begin" | "finish" | "refusedAsBusy">,
    emit: (event: RealtimeEvent) => void,
    cancelOnWire: (responseId: string) => void,
  ) {
    this.#sequence = sequence;
    this.#emit = emit;
    this.#cancelOnWire = cancelOnWire;
  }

  /** Something of this response has arrived: starts it unless it has started, and notifies the listener. */
  beginIfNew(responseId: string): void {
    if (responseId !== this.#current) this.begin(responseId);
    this.#notifyStarted(responseId);
  }

  /** Whether what arrives of this response is passed on to the listener. */
  isForListener(responseId: string): boolean {
    const progress = this.#progress.get(responseId);
    return progress !== "cancelled" && progress !== "withheld";
  }

  begin(responseId: string): void {
    if (this.#progress.has(responseId)) return;
    this.#progress.set(responseId, "started");
    this.#supersede();
    const beginning = this.#sequence.begin(responseId);
    if (beginning === "unwanted") {
      this.#progress.set(responseId, "withheld");
      return;
    }
    this.#current = responseId;
    if (beginning === "unasked") this.#notifyStarted(responseId, { isUnasked: true });
  }

  /** The service has started a response by itself, and the one that we requested follows it. */
  refusedAsBusy(): void {
    this.#sequence.refusedAsBusy();
    this.#notifyStarted(this.#current, { isUnasked: true });
  }

  /** The caller speaks over a response that has started. */
  speechStarted(): void {
    this.#notifyStarted(this.#current);
  }

  cancel(responseId: string): void {
    const progress = this.#progress.get(responseId);
    if (progress === "notified") this.#progress.set(responseId, "cancelled");
    if (progress === "started") this.#progress.set(responseId, "withheld");
    this.#cancelOnWire(responseId);
  }

  finish(event: Extract<RealtimeEvent, { type: "response-finished" }>): void {
    const { responseId, usage } = event;
    const sequence = this.#sequence;
    const emit = this.#emit;
    this.begin(responseId);
    this.#notifyStarted(responseId);
    const progress = this.#progress.get(responseId);
    if (progress === "ended") return;
    this.#progress.set(responseId, "ended");
    if (this.#current === responseId) this.#current = undefined;
    sequence.finish(responseId);
    if (progress !== "withheld") emit(event);
    else if (usage !== undefined) emit({ type: "used", what: "response", usage });
  }

  /** Does nothing if the listener was already notified, or is not to be. */
  #notifyStarted(responseId: string | undefined, whose: { readonly isUnasked?: boolean } = {}): void {
    if (responseId === undefined || this.#progress.get(responseId) !== "started") return;
    this.#progress.set(responseId, "notified");
    this.#emit({ type: "response-started", responseId, ...whose });
  }

  #supersede(): void {
    const responseId = this.#current;
    const progress = responseId === undefined ? undefined : this.#progress.get(responseId);
    if (responseId === undefined || (progress !== "notified" && progress !== "started")) return;
    this.#progress.set(responseId, "withheld");
    this.#cancelOnWire(responseId);
    if (progress === "notified") this.#emit({ type: "response-finished", responseId, status: "cancelled" });
  }
}
