import { describe, expect, it } from "vitest";
import { requireType, toVendorEvents } from "./delivered-events.ts";

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

  describe("in every form of CloudEvents", () => {
    const data = { callConnectionId: "c" };
    const attributes = { specversion: "1.0", id: "1", type: "T", source: "s", time: "2026-01-01T00:00:00Z" };
    const expected = [{ id: "1", type: "T", source: "s", timeMs: Date.UTC(2026, 0, 1), data }];
    const headers = (given: Readonly<Record<string, string>>) => (name: string) => given[name];
    const binary = {
      "content-type": "application/json",
      "ce-specversion": "1.0",
      "ce-id": "1",
      "ce-type": "T",
      "ce-source": "s",
      "ce-time": "2026-01-01T00:00:00Z",
    };

    it.each([
      ["structured", { ...attributes, data }, { "content-type": "application/cloudevents+json; charset=utf-8" }],
      ["structured, sent as plain JSON", { ...attributes, data }, { "content-type": "application/json" }],
      ["a batch", [{ ...attributes, data }], { "content-type": "application/cloudevents-batch+json" }],
      ["binary", data, binary],
      ["binary without a content type", data, { ...binary, "content-type": "" }],
      [
        "structured, with a proxy's headers beside it",
        { ...attributes, data },
        { ...binary, "content-type": "application/cloudevents+json", "ce-type": "other" },
      ],
      ["with its data as text", { ...attributes, data: JSON.stringify(data) }, {}],
      [
        "with its data in base64",
        { ...attributes, data_base64: Buffer.from(JSON.stringify(data)).toString("base64") },
        {},
      ],
    ])("[DELIVER-1] are understood: %s", (_form, body, given) => {
      expect(toVendorEvents(body, headers(given))).toEqual(expected);
    });

    it("[DELIVER-1] have their attributes decoded where a header had to encode them", () => {
      const encoded = { ...binary, "ce-source": "calling/%C3%A9t%C3%A9", "ce-id": "100%" };
      expect(toVendorEvents(data, headers(encoded))).toMatchObject([{ source: "calling/été", id: "100%" }]);
    });
  });

  it("[DELIVER-2] are refused where one says no type, with how many did not", () => {
    const typed = toVendorEvents([{ type: "T" }, { eventType: "T" }]);
    expect(() => requireType(typed)).not.toThrow();
    expect(() => requireType([])).not.toThrow();
    expect(() => requireType(toVendorEvents({ data: {} }))).toThrow("The event names no type.");
    expect(() => requireType(toVendorEvents([{ type: "T" }, {}]))).toThrow("1 of 2 events name no type.");
    expect(() => requireType(toVendorEvents({ type: " " }))).toThrow("The event names no type.");
  });

  it("may lack everything", () => {
    expect(toVendorEvents({})).toEqual([{ id: expect.any(String), type: "", source: "", timeMs: undefined, data: {} }]);
  });
});
