/**
 * The life of a session's keys. Giving each of them a new one with every write would be a third of what a turn costs, so their
 * life is longer by a 24th than it has to be, and is renewed once it is no longer than that.
 */
import type { LifeSpans } from "../life-spans.ts";

export interface SessionLife {
  /** The shortest time that a session is stored after its last write. */
  readonly leastMs: number;
  /** The life span of a key after it was renewed. */
  readonly renewedMs: number;
  readonly tombstoneMs: number;
}

export function sessionLife({ sessionMs, tombstoneMs }: LifeSpans): SessionLife {
  const renewedMs = sessionMs + Math.ceil(sessionMs / 24);
  return { leastMs: sessionMs, renewedMs, tombstoneMs: renewedMs + tombstoneMs };
}
