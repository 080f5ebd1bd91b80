/** What the figures of a pool say of a service without kept connections: how its requests went, or else whether it can be reached. */
import type { PoolFigures } from "@voice/provider-kit/ports/recogniser";
import type { UpstreamHealth } from "@voice/shared/platform/upstream";
import type { Reached } from "../../reachability.ts";

export function figuresOf(
  { status, lastErrorCode, lastReason }: UpstreamHealth,
  reached: Reached,
): Pick<PoolFigures, "basis" | "lastErrorCode" | "lastReason"> {
  if (status === "down") return { lastErrorCode, lastReason };
  if (status === "healthy") return { basis: "answered" };
  if (reached === "not-asked")
    return { basis: reached, lastErrorCode: "dependency_not_ready", lastReason: "it has not been asked yet" };
  if (reached === "reached") return { basis: reached };
  return { lastErrorCode: reached.code, lastReason: reached.reason };
}
