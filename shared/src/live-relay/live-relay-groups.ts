/** The groups of the live relay outside (Web PubSub): one for each session, and one for everything. */
import type { WatchTarget } from "../state/ports/live-updates.ts";

export const liveRelayHub = "voice";

/** No session's id may hold an exclamation mark: nobody hears everything by the name of a session. */
const everything = "!all";

export function liveRelayGroup(target: WatchTarget): string {
  return target === "all" ? everything : target.sessionId;
}
