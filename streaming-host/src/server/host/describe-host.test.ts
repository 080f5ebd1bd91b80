import { loadSettings } from "@voice/shared/config/load";
import { noTelemetry } from "@voice/shared/telemetry/telemetry";
import type { McpServerStatus } from "@voice/shared/state/ports/host-registry";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import { expect, it } from "vitest";
import { describeHost, isWarm, mcpState } from "./describe-host.ts";

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

it("counts a pool as warm once it is ready or its service has proved unreachable", () => {
  expect(isWarm({ ...emptyPool, ready: false })).toBe(false);
  expect(isWarm({ ...emptyPool, ready: true })).toBe(true);
  expect(isWarm({ ...emptyPool, ready: false, warmupFailures: 1 })).toBe(true);
});

it("counts phone calls apart from the media streams of clients, and is ready once everything was tried", () => {
  const counts = {
    phone: 2,
    media: 1,
    "media-session": 1,
    browser: 3,
    telephony: 0,
    dashboard: 4,
    listen: 0,
    tools: 0,
    connected: 9,
    disconnected: 2,
  };
  const pool = { pool: () => ({ ...emptyPool, ready: true }) };
  const host = { id: "host-1", telemetry: { ...noTelemetry, isOn: true }, settings: loadSettings({}) };
  const describe = (areTried: boolean) =>
    describeHost(host, {
      startedAtMs: 0,
      sockets: { counts: () => counts, isDraining: false, placesTaken: 7 },
      eventLoop: { delayMs: 0, isOverloaded: false },
      providers: { recogniser: pool, synthesiser: pool },
      tools: { areTried, servers: () => [] },
      failures: { list: [] },
      status: () => ({}),
    });
  expect(describe(true)).toMatchObject({
    ready: true,
    traces: true,
    sessions: { phone: 2, media: 2, browser: 3, telephony: 0 },
    connections: { media: 4, browser: 3, telephony: 0, dashboard: 4 },
  });
  expect(describe(false).ready).toBe(false);
});
