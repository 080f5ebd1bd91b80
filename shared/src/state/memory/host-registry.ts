import type { Clock } from "../../platform/clock.ts";
import { byHostId, heartbeatTtlMs, sessionsOf, silentHostTtlMs } from "../ports/host-registry.ts";
import type { HostHeartbeat, HostRegistry, SilentHost } from "../ports/host-registry.ts";
import { ExpiringMap } from "./expiring-map.ts";

export function createMemoryHostRegistry(clock: Clock): HostRegistry {
  const hosts = new ExpiringMap<HostHeartbeat>(clock);
  const remembered = new ExpiringMap<SilentHost>(clock);
  const alive = () => hosts.values().toSorted(byHostId);
  return {
    async beat(heartbeat) {
      const { hostId } = heartbeat;
      const wasListed = hosts.has(hostId);
      hosts.set(hostId, structuredClone(heartbeat), heartbeatTtlMs);
      remembered.set(hostId, { hostId, sessions: sessionsOf(heartbeat) }, silentHostTtlMs);
      return wasListed;
    },
    async remove(hostId) {
      hosts.delete(hostId);
      remembered.delete(hostId);
    },
    list: async () => alive(),
    async listWithSilent() {
      const silent = remembered.values().filter(({ hostId }) => !hosts.has(hostId));
      return { alive: alive(), silent: silent.toSorted(byHostId) };
    },
  };
}
