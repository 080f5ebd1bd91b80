/**
 * A realtime service answers what the caller says unasked, even over words of the agent that may not be interrupted (an announcement,
 * a goodbye, any words where barge-in is off). Such a response is a reply of its own: it waits here until those words were heard (TURN-11).
 */
import type { ResponseEvent } from "./response-event.ts";

export class EarlyResponses {
  readonly #responses = new Set<string>();
  readonly #items = new Set<string>();
  #events: ResponseEvent[] = [];

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  /** What the model has said in them so far. */
  get items(): readonly string[] {
    return [...this.#items];
  }

  begin(event: Extract<ResponseEvent, { type: "response-started" }>): void {
    this.#responses.add(event.responseId);
    this.#events.push(event);
  }

  /** Keeps the event of a response that waits. False: the event is of another one. */
  keep(event: ResponseEvent): boolean {
    const isTheirs = event.type === "word" ? this.#items.has(event.itemId) : this.#responses.has(event.responseId);
    if (!isTheirs) return false;
    if ("itemId" in event) this.#items.add(event.itemId);
    this.#events.push(event);
    return true;
  }

  /** Hands over everything so far; what comes then is not kept. */
  take(): readonly ResponseEvent[] {
    const events = this.#events;
    this.#events = [];
    this.#responses.clear();
    this.#items.clear();
    return events;
  }
}
