/**
 * A realtime service answers what the caller says unasked, even over words of the agent that may not be interrupted (an announcement,
 * a goodbye, any words where barge-in is off), and before words that were requested of it at the same moment. Such a response is a reply
 * of its own: it waits here until those words were heard (TURN-11).
 */
import type { Link } from "./model-request.ts";
import type { ResponseEvent, ResponseStart } from "./response-order.ts";

/** For a call in a response that nobody was to hear: the model may call the tool again. */
const notRun = JSON.stringify({
  success: false,
  error: "not_run",
  message: "The caller went on before this was run. Nothing was done.",
});

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

  begin(event: ResponseStart): void {
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

  /** Nobody is to hear them. The service believes that they were said, and waits for what their tools give. */
  forget(link: Link): void {
    const items = [...(this.#waiting?.items ?? [])];
    const calls = this.take().flatMap((event) => (event.type === "tool-call" ? [event.call.id] : []));
    if (items.length + calls.length === 0) return;
    link((session) => {
      for (const itemId of items) session.truncate(itemId, 0, "");
      for (const callId of calls) session.sendToolResult(callId, notRun);
    });
  }
}
