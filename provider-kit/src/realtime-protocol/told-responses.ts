/**
 * Which responses the listener is told of, and what of them. One at a time, because their words would be mixed: a newer one is what the
 * caller waits for. Each begins and ends once, from its first event to its end, although a service may leave out that it begins, say
 * so after its first words, or repeat itself.
 */
import type { RealtimeEvent } from "@voice/provider-kit/ports/realtime-model";
import { Recent } from "./recent.ts";
import type { ResponseSequence } from "./response-sequence.ts";

export interface ToldResponsesOptions {
  readonly sequence: Pick<ResponseSequence, "begin" | "finish">;
  readonly emit: (event: RealtimeEvent) => void;
  readonly cancelOnWire: (responseId: string) => void;
}

/**
 * `told`: the listener knows that it has begun. `cancelled`: the same, but what may still arrive of it is not wanted; its end is.
 * `untold`: cancelled before it began or when a newer one did, so the listener is not told of its end. `over`: it has ended.
 */
type Progress = "told" | "cancelled" | "untold" | "over";

export class ToldResponses {
  readonly #options: ToldResponsesOptions;
  readonly #progress = new Recent<Progress>();
  /** The newest one that the listener was told of, until it ends. */
  #current: string | undefined;

  constructor(options: ToldResponsesOptions) {
    this.#options = options;
  }

  /** Whether the listener is to have something of this response, which begins with it if it has not begun. */
  isWanted(responseId: string): boolean {
    if (responseId !== this.#current) this.begin(responseId);
    const progress = this.#progress.get(responseId);
    return progress !== "cancelled" && progress !== "untold";
  }

  begin(responseId: string): void {
    if (this.#progress.has(responseId)) return;
    const { sequence, emit } = this.#options;
    this.#progress.set(responseId, "told");
    this.#supersede();
    if (sequence.begin(responseId)) {
      this.#current = responseId;
      emit({ type: "response-started", responseId });
    } else this.#progress.set(responseId, "untold");
  }

  cancel(responseId: string): void {
    if (this.#progress.get(responseId) === "told") this.#progress.set(responseId, "cancelled");
    this.#options.cancelOnWire(responseId);
  }

  finish(event: Extract<RealtimeEvent, { type: "response-finished" }>): void {
    const { responseId, usage } = event;
    const { sequence, emit } = this.#options;
    this.begin(responseId);
    const progress = this.#progress.get(responseId);
    if (progress === "over") return;
    this.#progress.set(responseId, "over");
    if (this.#current === responseId) this.#current = undefined;
    sequence.finish(responseId);
    if (progress !== "untold") emit(event);
    else if (usage !== undefined) emit({ type: "used", what: "response", usage });
  }

  #supersede(): void {
    const responseId = this.#current;
    if (responseId === undefined || this.#progress.get(responseId) !== "told") return;
    this.#progress.set(responseId, "untold");
    this.#options.cancelOnWire(responseId);
    this.#options.emit({ type: "response-finished", responseId, status: "cancelled" });
  }
}
