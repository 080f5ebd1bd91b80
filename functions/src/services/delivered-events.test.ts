import { describe, expect, it } from "vitest";
import { toVendorEvents } from "./delivered-events.ts";

describe("delivered events", () => {
  it("have one shape, whichever schema they came in", () => {
    const data = { callConnectionId: "c" };
    const cloud = { id: "1", type: "T", source: "s", time: "2026-01-01T00:00:00Z", data };
    const grid = { id: "1", eventType: "T", subject: "s", eventTime: "2026-01-01T00:00:00Z", data };
    expect(toVendorEvents(cloud)).toEqual(toVendorEvents([grid]));
    expect(toVendorEvents(cloud)).toEqual([{ id: "1", type: "T", source: "s", timeMs: Date.UTC(2026, 0, 1), data }]);
  });

  it("get an id of their content where the sender gives none, so that a repetition is known", () => {
    const [first] = toVendorEvents({ type: "T", data: { a: 1 } });
    const [again] = toVendorEvents({ type: "T", data: { a: 1 } });
    const [other] = toVendorEvents({ type: "T", data: { a: 2 } });
    expect(first?.id).toBe(again?.id);
    expect(first?.id).not.toBe(other?.id);
  });

  it("may lack everything", () => {
    expect(toVendorEvents({})).toEqual([{ id: expect.any(String), type: "", source: "", timeMs: undefined, data: {} }]);
  });
});
