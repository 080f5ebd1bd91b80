/**
 * The groups of the external live relay (Web PubSub). A session has one for operators and one for its owner, because its
 * id may become somebody else's after it was deleted, while whoever has joined a group stays in it.
 */
import { createHash } from "node:crypto";
import type { LiveUpdate, WatchTarget } from "../state/ports/live-updates.ts";

export const liveRelayHub = "voice";

/** Session ids cannot contain an exclamation mark, so no session's group can be the group for everything. */
const everything = "!all";

/** The group that an operator joins. */
export function operatorsGroup(target: WatchTarget): string {
  return target === "all" ? everything : target.sessionId;
}

/** A subject may be an address or have any length, and the service's logs hold the names of groups. */
export function ownersGroup(sessionId: string, owner: string): string {
  return `${sessionId}!${createHash("sha256").update(owner).digest("base64url")}`;
}

export function groupsOf({ sessionId, owner }: Pick<LiveUpdate, "sessionId" | "owner">): readonly string[] {
  const groups = [operatorsGroup({ sessionId }), operatorsGroup("all")];
  return owner === undefined ? groups : [...groups, ownersGroup(sessionId, owner)];
}
