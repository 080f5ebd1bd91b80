/** Whether the streaming hosts have a place left for another call, by what they say of themselves. Pure. */
import type { HostHeartbeat } from "../state/ports/host-registry.ts";

/** Places that a conversation has, or that are kept for a call which is being set up. */
export function placesTaken({ placesTaken: taken, sessions }: HostHeartbeat): number {
  return taken ?? Object.values(sessions).reduce((sum, count) => sum + count, 0);
}

/** False where no host takes calls at all: then a call waits for one, and fails for that reason. */
export function isFleetFull(hosts: readonly HostHeartbeat[]): boolean {
  const serving = hosts.filter(({ ready, draining }) => ready && !draining);
  return serving.length > 0 && serving.every((host) => placesTaken(host) >= host.maxSessions);
}
