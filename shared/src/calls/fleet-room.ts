/** Whether the streaming hosts will carry another call, by what they say of themselves and what is promised already. */
import type { CallPlaces } from "../state/ports/call-places.ts";
import type { HostHeartbeat, HostRegistry } from "../state/ports/host-registry.ts";
import type { CallFailure } from "./failure-reason.ts";

export const allPlacesTaken: CallFailure = { code: "all_places_taken", reason: "all places for calls are taken" };

/** From being answered to its stream, with what a service may take to open one again that failed at first. */
export const streamWithinMs = 15_000;
/** A host that a stream has just come to tells everybody within this time that the place is taken for real. */
export const tellingMs = 2000;

interface Fleet {
  readonly hosts: Pick<HostRegistry, "list">;
  readonly callPlaces: CallPlaces;
}

/** True where a place is kept for the call until its stream comes, or the time is over. */
export async function keepPlace({ hosts, callPlaces }: Fleet, callId: string, forMs: number): Promise<boolean> {
  return callPlaces.keep(callId, { free: freePlaces(await hosts.list()), forMs });
}

/** Without limit where no host takes calls at all: then a call waits for one, and fails for that reason. */
export function freePlaces(hosts: readonly HostHeartbeat[]): number {
  const serving = hosts.filter(({ ready, draining }) => ready && !draining);
  if (serving.length === 0) return Number.POSITIVE_INFINITY;
  return serving.reduce((free, host) => free + Math.max(0, host.maxSessions - placesTaken(host)), 0);
}

function placesTaken({ placesTaken: taken, sessions }: HostHeartbeat): number {
  return taken ?? Object.values(sessions).reduce((sum, count) => sum + count, 0);
}
