/** The groups of the external live relay (Web PubSub): one for each session, and one for everything. */
import type { WatchTarget } from "../state/ports/live-updates.ts";

export const liveRelayHub = "voice";

/** Session ids cannot contain an exclamation mark, so no session's group can be the group for everything. */
const everything = "!all";

export function liveRelayGroup(target: WatchTarget): string {
  return target === "all" ? everything : target.sessionId;
}
