/**
 * Looks for outside changes only when the state was told of some, and once a minute without being told: a process of an earlier version tells
 * nothing, and what is told may be lost with the connection (LIVE-1, decision 077).
 */
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import type { Clock } from "@voice/shared/platform/clock";
import type { ToldChanges } from "@voice/shared/state/ports/told-changes";
import type { CheckForChanges } from "../../../session/conversation/live-changes.ts";

/** As often as the conversation's row is written: a look is made beside what is stored of a reply, and takes no time of its own. */
const untoldMs = 60_000;

export function lookWhenTold(
  sessionId: string,
  changes: ToldChanges,
  look: () => Promise<SessionCatalog | undefined>,
  clock: Clock,
): CheckForChanges {
  let seen: { readonly mark: number | undefined; readonly atMs: number } | undefined;
  const isCurrent = (mark: number | undefined, hasTime: boolean): boolean => {
    if (seen === undefined || mark === undefined || mark !== seen.mark) return false;
    return !hasTime || clock.now() - seen.atMs < untoldMs;
  };
  return async (moment) => {
    const mark = changes.markOf(sessionId);
    if (isCurrent(mark, moment === "after a reply")) return undefined;
    // The mark from before the look is retained, so that changes made during it are looked for again.
    const looking = { mark, atMs: clock.now() };
    const found = await look();
    seen = looking;
    return found;
  };
}
