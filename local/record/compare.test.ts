import { describe, expect, it } from "vitest";
import { differences } from "./compare.ts";
import type { Recording } from "./recording.ts";

const recording = (source: Recording["source"], ...bodies: readonly object[]): Recording => ({
  target: "chat",
  source,
  origin: "a test",
  recordedOn: "2026-11-28",
  messages: bodies.map((body) => ({ direction: "received", name: "done", body })),
});
const double = (...bodies: readonly object[]): Recording => recording("captured", ...bodies);

describe("a double beside a recording", () => {
  it("is like it where the forms are the same, whatever the values are", () => {
    const real = recording("captured", { id: "b", n: 2, list: [] });
    expect(differences(double({ id: "a", n: 1, list: [{ x: 1 }] }), real)).toEqual([]);
  });

  it("may not leave out what the service always sends, nor send what it never does", () => {
    const real = recording("captured", { id: "b", usage: { total: 1 } }, { id: "c", usage: { total: 1, cached: 2 } });
    expect(differences(double({ id: "a", usage: {}, extra: 1 }), real)).toEqual([
      "done: the double leaves usage.total out",
      "done: the service has no extra",
    ]);
  });

  it("may not send another kind of value", () => {
    expect(differences(double({ code: 7 }), recording("published", { code: "seven" }))).toEqual([
      "done: code is number in the double, and string in the service",
    ]);
  });

  it("is compared with documentation only in what the documentation shows", () => {
    expect(differences(double({ id: "a", more: 1 }), recording("published", { id: "b" }))).toEqual([]);
    const other = { ...recording("published", { id: "b" }), messages: [] };
    expect(differences(double({ id: "a" }), other)).toEqual([]);
  });

  it("must send what a captured conversation has", () => {
    expect(differences({ ...double(), messages: [] }, recording("captured", { id: "b" }))).toEqual([
      "done: the double never sends it",
    ]);
  });
});
