/**
 * Decides whether the streaming hosts have room for another call, from their heartbeats and the places already
 * reserved.
 */
import type { CallPlaces } from "../state/records/call-places.ts";
import type { HostHeartbeat } from "../state/ports/host-registry.ts";
import type { CallFailure } from "./failure-reason.ts";

export const allPlacesTaken: CallFailure = { code: "all_places_taken", reason: "all places for calls are taken" };

/** The time from answering a call to its stream, including a retry by the service after a failed first attempt. */
export const streamWithinMs = 15_000;
/** After this time the heartbeat of the host that received the stream shows that the place is occupied. */
export const heartbeatDelayMs = 2000;

interface Fleet {
  readonly hosts: readonly HostHeartbeat[];
  readonly callPlaces: CallPlaces;
}

/** True if a place is now reserved for the call until its stream arrives or the time expires. */
export function reservePlace({ hosts, callPlaces }: Fleet, callId: string, forMs: number): Promise<boolean> {
  return callPlaces.keep(callId, { free: freePlaces(hosts), forMs });
}

/** Takes new conversations. */
export function isServing({ ready, draining }: Pick<HostHeartbeat, "ready" | "draining">): boolean {
  return ready && !draining;
}

/** Unlimited if no host accepts calls at all: the call then waits for one, and fails for that reason. */
export function freePlaces(hosts: readonly HostHeartbeat[]): number {
  const serving = hosts.filter(isServing);
  if (serving.length === 0) return Number.POSITIVE_INFINITY;
  return serving.reduce((free, host) => free + Math.max(0, host.maxSessions - placesTaken(host)), 0);
}

function placesTaken({ placesTaken: taken, sessions }: HostHeartbeat): number {
  return taken ?? Object.values(sessions).reduce((sum, count) => sum + count, 0);
}
