/** How providers report themselves in the heartbeat: whether they can be used, and what that rests on (OPS-30). Pure. */
import type { PoolFigures } from "@voice/provider-kit/ports/recogniser";
import type { RealtimeHealth } from "@voice/provider-kit/realtime-protocol/realtime-client";
import type { StatusBasis } from "@voice/shared/platform/status-basis";
import type { UpstreamHealth } from "@voice/shared/platform/upstream";
import type { ProviderStatus } from "@voice/shared/state/ports/host-registry";
import type { Reached } from "../providers/reachability.ts";

export function poolStatus(name: string, { ready, basis, lastErrorCode, lastReason }: PoolFigures): ProviderStatus {
  if (ready && lastErrorCode === undefined) return { name, healthy: true, ...(basis !== undefined && { basis }) };
  return { name, healthy: false, error: `it cannot be used (${lastReason ?? lastErrorCode ?? "no connection yet"})` };
}

/** Agents may name deployments of their own; one that is down is a problem of the agents that use it. */
export function modelStatus(
  name: string,
  deployments: Readonly<Record<string, UpstreamHealth>>,
  reached: Reached,
): ProviderStatus {
  const all = Object.entries(deployments);
  const down = all.find(([, { status }]) => status === "down");
  if (down !== undefined) {
    const [deployment, { lastReason, lastErrorCode = "unknown" }] = down;
    return { name, healthy: false, error: `deployment ${deployment} is down (${lastReason ?? lastErrorCode})` };
  }
  return all.some(([, { status }]) => status === "healthy")
    ? { name, healthy: true, basis: "answered" }
    : reachedStatus(name, reached);
}

export function realtimeStatus(
  name: string,
  model: string,
  { learnt, ...health }: RealtimeHealth,
  reached: Reached,
): ProviderStatus {
  return { ...modelStatus(name, { [model]: health }, reached), ...(learnt.length > 0 && { learnt }) };
}

/** The status of a service that no conversation has needed lately. A service that has not been asked is not known to work. */
export function reachedStatus(name: string, reached: Reached): ProviderStatus {
  if (reached === "reached") return { name, healthy: true, basis: reached };
  if (reached === "not-asked") return { name, healthy: false, basis: reached, error: "it has not been asked yet" };
  return { name, healthy: false, error: reached.reason ?? reached.message };
}

/** A module of one's own cannot be asked for its state: what is known is whether it has answered. */
export function ownStatus(name: string, basis: StatusBasis): ProviderStatus {
  return { name, healthy: true, basis };
}

/** MODEL-11. */
export function learntOf(deployments: Readonly<Record<string, readonly string[]>>): Pick<ProviderStatus, "learnt"> {
  const learnt = Object.entries(deployments).map(([name, needs]) => `${name}: ${needs.join(", ")}`);
  return learnt.length === 0 ? {} : { learnt };
}
