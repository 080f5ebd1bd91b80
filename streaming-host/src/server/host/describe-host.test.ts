import type { McpServerStatus } from "@voice/shared/state/ports/host-registry";
import { expect, it } from "vitest";
import { mcpState } from "./describe-host.ts";

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
