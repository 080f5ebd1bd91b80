import type { Clock } from "../../platform/clock.ts";
import {
  byHostId,
  heartbeatTtlMs,
  sessionsOf,
  silentHostTtlMs,
  type HostHeartbeat,
  type HostRegistry,
  type KnownHosts,
  type SilentHost,
} from "../ports/host-registry.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryHostRegistry implements HostRegistry {
  readonly #hosts: ExpiringMap<HostHeartbeat>;
  readonly #remembered: ExpiringMap<SilentHost>;

  constructor(clock: Clock) {
    this.#hosts = new ExpiringMap(clock);
    this.#remembered = new ExpiringMap(clock);
  }

  async beat(heartbeat: HostHeartbeat): Promise<boolean> {
    const { hostId } = heartbeat;
    const wasListed = this.#hosts.get(hostId) !== undefined;
    this.#hosts.set(hostId, structuredClone(heartbeat), heartbeatTtlMs);
    this.#remembered.set(hostId, { hostId, sessions: sessionsOf(heartbeat) }, silentHostTtlMs);
    return wasListed;
  }

  async remove(hostId: string): Promise<void> {
    this.#hosts.delete(hostId);
    this.#remembered.delete(hostId);
  }

  async list(): Promise<readonly HostHeartbeat[]> {
    return this.#hosts.values().toSorted(byHostId);
  }

  async listWithSilent(): Promise<KnownHosts> {
    const isSilent = ({ hostId }: SilentHost): boolean => this.#hosts.get(hostId) === undefined;
    return { alive: await this.list(), silent: this.#remembered.values().filter(isSilent).toSorted(byHostId) };
  }
}
