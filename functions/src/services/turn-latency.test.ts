import { describe, expect, it } from "vitest";
import { summariseLatency } from "./turn-latency.ts";

function turns(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    turnId: `t${index}`,
    agent: "a",
    timestampMs: 0,
    marks: { first_audio: index + 1 },
  }));
}

describe("the latency summary", () => {
  it("is empty without turns", () => {
    expect(summariseLatency([])).toEqual({});
  });

  it("gives a percentile only with enough turns", () => {
    expect(summariseLatency(turns(10))).toEqual({
      first_audio: { avg: 5.5, min: 1, max: 10, p50: 5, p95: null, p99: null, count: 10 },
    });
    expect(summariseLatency(turns(20))["first_audio"]).toMatchObject({ p95: 19, p99: null });
    expect(summariseLatency(turns(100))["first_audio"]).toMatchObject({ p95: 95, p99: 99 });
  });

  it("keeps stages apart", () => {
    const two = [
      { turnId: "1", agent: "a", timestampMs: 0, marks: { model: 100 } },
      { turnId: "2", agent: "a", timestampMs: 0, marks: { model: 300, tool: 7 } },
    ];
    expect(summariseLatency(two)).toMatchObject({ model: { avg: 200, count: 2 }, tool: { avg: 7, count: 1 } });
  });
});
