/**
 * A realtime service answers what the caller says unasked, even over words of the agent that may not be interrupted (an announcement,
 * a goodbye, any words where barge-in is off). Such a response is a reply of its own: it waits here until those words were heard (TURN-11).
 */
import type { ResponseEvent } from "./response-event.ts";

interface Waiting {
  readonly responses: Set<string>;
  readonly items: Set<string>;
  readonly events: ResponseEvent[];
}

export class EarlyResponses {
  /** Undefined most of the time, while none waits. */
  #waiting: Waiting | undefined;

  get isEmpty(): boolean {
    return this.#waiting === undefined;
  }

  /** What the model has said in them so far. */
  get items(): readonly string[] {
    return [...(this.#waiting?.items ?? [])];
  }

  /** The ids of the calls in them, none of which was run. */
  get calls(): readonly string[] {
    return (this.#waiting?.events ?? []).flatMap((event) => (event.type === "tool-call" ? [event.call.id] : []));
  }

  begin(event: Extract<ResponseEvent, { type: "response-started" }>): void {
    this.#waiting ??= { responses: new Set(), items: new Set(), events: [] };
    this.#waiting.responses.add(event.responseId);
    this.#waiting.events.push(event);
  }

  /** Keeps the event of a response that waits. False: the event is of another one. */
  keep(event: ResponseEvent): boolean {
    if (this.#waiting === undefined) return false;
    const { responses, items, events } = this.#waiting;
    const isTheirs = event.type === "word" ? items.has(event.itemId) : responses.has(event.responseId);
    if (!isTheirs) return false;
    if ("itemId" in event) items.add(event.itemId);
    events.push(event);
    return true;
  }

  /** Hands over everything so far; what comes then is not kept. */
  take(): readonly ResponseEvent[] {
    const events = this.#waiting?.events ?? [];
    this.#waiting = undefined;
    return events;
  }
}
