/** How long data is kept. Everything in the store expires, so that it cannot fill up. Milliseconds. */

import { dayMs } from "../platform/day.ts";

export interface LifeSpans {
  /** A session and its own agents and scenarios, counted from the last write. */
  readonly sessionMs: number;
  /** How much longer the store remembers that an id existed, so that it can answer "expired" instead of "unknown". */
  readonly tombstoneMs: number;
  /** A call, counted from its creation. */
  readonly callMs: number;
  /** All runtime overrides of agents, counted from the last change to any. */
  readonly overrideMs: number;
  readonly mediaSessionMs: number;
  /** An event stream without new events; the memory of event ids; dead letters. */
  readonly eventMs: number;
}

export const defaultLifeSpans: LifeSpans = {
  sessionMs: dayMs,
  tombstoneMs: 7 * dayMs,
  callMs: 7 * dayMs,
  overrideMs: 30 * dayMs,
  mediaSessionMs: dayMs,
  eventMs: 7 * dayMs,
};
