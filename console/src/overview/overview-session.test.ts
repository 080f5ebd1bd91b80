import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import type { Overview, Span } from "../api/overview-api.ts";
import { OverviewSession } from "./overview-session.ts";

const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

function overviewOf(conversations: number): Overview {
  const none = {
    outcomes: [],
    failures: [],
    latency: [],
    cost: [],
    scenarios: [],
    agents: [],
    tools: [],
    handoffs: [],
    noted: [],
    noted_values: [],
  };
  const counts = { conversations, calls: 0, turns: 0, average_duration_ms: null, contained: null, with_person: 0 };
  return { ...none, ...counts, live: 0, days: [] };
}

function rig() {
  const clock = new VirtualClock();
  const requests: [Span, string][] = [];
  let isAway = false;
  const session = new OverviewSession(
    {
      overview: async (days, timeZone) => {
        requests.push([days, timeZone]);
        if (isAway) throw new TypeError("Failed to fetch");
        return overviewOf(requests.length);
      },
    },
    clock,
    () => "Europe/Berlin",
  );
  return { clock, requests, session, goAway: () => void (isAway = true) };
}

describe("the figures of the overview", () => {
  it("[OVERVIEW-5] are read in this browser's time zone, and again while they are shown", async () => {
    const { clock, requests, session } = rig();
    const stop = session.watch(30);
    await settled();
    clock.advance(15_000);
    await settled();
    stop();
    clock.advance(60_000);
    expect(requests).toEqual([
      [30, "Europe/Berlin"],
      [30, "Europe/Berlin"],
    ]);
    expect(session.store.get()).toMatchObject({ days: 30, overview: { conversations: 2 } });
  });

  it("stay while the service is away, which is said; those of another span do not", async () => {
    const { clock, session, goAway } = rig();
    const stop = session.watch(7);
    await settled();
    goAway();
    clock.advance(15_000);
    await settled();
    expect(session.store.get()).toMatchObject({ overview: { conversations: 1 } });
    expect(session.store.get().problem).toBeDefined();
    stop();
    session.watch(1);
    expect(session.store.get()).toMatchObject({ days: 1, overview: undefined });
  });
});
