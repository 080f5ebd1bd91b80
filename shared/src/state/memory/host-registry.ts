import type { Clock } from "../../platform/clock.ts";
import { heartbeatTtlMs, type HostHeartbeat, type HostRegistry } from "../ports/host-registry.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryHostRegistry implements HostRegistry {
  readonly #hosts: ExpiringMap<HostHeartbeat>;

  constructor(clock: Clock) {
    this.#hosts = new ExpiringMap(clock);
  }

  async beat(heartbeat: HostHeartbeat): Promise<boolean> {
    const wasListed = this.#hosts.get(heartbeat.hostId) !== undefined;
    this.#hosts.set(heartbeat.hostId, structuredClone(heartbeat), heartbeatTtlMs);
    return wasListed;
  }

  async remove(hostId: string): Promise<void> {
    this.#hosts.delete(hostId);
  }

  async list(): Promise<readonly HostHeartbeat[]> {
    return this.#hosts.values().toSorted((a, b) => (a.hostId < b.hostId ? -1 : 1));
  }
}
