/**
 * The indexes of sessions by which lists are filtered. They are in the order in which sessions began, were resumed or
 * ended, because then a session moves twice in its life, and not with every turn.
 */
import { channels, type Channel, type SessionQuery, type SessionRecord } from "./session-store.ts";

export const sessionStatuses = ["active", "ended"] as const satisfies readonly SessionRecord["status"][];

/** What all sessions of an index have in common; an empty one has every session. */
export interface SessionIndex {
  readonly channel?: Channel | undefined;
  readonly status?: SessionRecord["status"] | undefined;
}

export const sessionIndexes: readonly SessionIndex[] = [undefined, ...channels].flatMap((channel) =>
  [undefined, ...sessionStatuses].map((status) => ({ channel, status })),
);

export function isInIndex(session: SessionIndex, { channel, status }: SessionIndex): boolean {
  return (channel === undefined || session.channel === channel) && (status === undefined || session.status === status);
}

/** Whether a list needs these indexes: without them it is in the order of the last activity. */
export function isFiltered({ channel, status, fromMs, beforeMs }: SessionQuery): boolean {
  return [channel, status, fromMs, beforeMs].some((wanted) => wanted !== undefined);
}
