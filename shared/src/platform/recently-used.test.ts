import { describe, expect, it } from "vitest";
import { RecentlyUsed } from "./recently-used.ts";

describe("values that were used recently", () => {
  it("are kept as long as they weigh no more than the budget", () => {
    const values = new RecentlyUsed<string>(10);
    values.set("a", "A", 4);
    values.set("b", "B", 4);
    expect([values.get("a"), values.get("b")]).toEqual(["A", "B"]);
  });

  it("make room by letting the one go that was asked for longest ago", () => {
    const values = new RecentlyUsed<string>(10);
    values.set("a", "A", 4);
    values.set("b", "B", 4);
    values.get("a");
    values.set("c", "C", 4);
    expect([values.get("a"), values.get("b"), values.get("c")]).toEqual(["A", undefined, "C"]);
  });

  it("do not keep what is heavier than the whole budget", () => {
    const values = new RecentlyUsed<string>(10);
    values.set("a", "A", 11);
    expect(values.get("a")).toBeUndefined();
  });
});
