import type { McpServerStatus } from "@voice/shared/state/ports/host-registry";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import { expect, it } from "vitest";
import { isWarm, mcpState } from "./describe-host.ts";

function servers(...states: McpServerStatus["state"][]): McpServerStatus[] {
  return states.map((state, index) => ({ name: `server-${index}`, state, toolsCount: 0 }));
}

it("sums up tool servers as an operator would", () => {
  expect(mcpState([])).toBe("disabled");
  expect(mcpState(servers("connected", "connected"))).toBe("connected");
  expect(mcpState(servers("connected", "failed"))).toBe("degraded");
  expect(mcpState(servers("connecting", "failed"))).toBe("connecting");
  expect(mcpState(servers("failed"))).toBe("failed");
});

it("takes a pool for warmed once it is ready, or its service has been found away", () => {
  expect(isWarm({ ...emptyPool, ready: false })).toBe(false);
  expect(isWarm({ ...emptyPool, ready: true })).toBe(true);
  expect(isWarm({ ...emptyPool, ready: false, warmupFailures: 1 })).toBe(true);
});
