import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

function drain(queue: FairQueue<string>): string[] {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
}

describe("fair queue", () => {
  it("[FAIL-7d] lets owners take turns, however much one of them has left waiting", () => {
    const queue = new FairQueue<string>(8);
    for (const item of ["a1", "a2", "a3"]) queue.push("a", item);
    queue.push("b", "b1");
    queue.push("c", "c1");
    expect(drain(queue)).toEqual(["a1", "b1", "c1", "a2", "a3"]);
  });

  it("keeps the order of one owner's items", () => {
    const queue = new FairQueue<string>(8);
    for (const item of ["a1", "a2"]) queue.push("a", item);
    expect(queue.take()).toBe("a1");
    queue.push("a", "a3");
    expect(drain(queue)).toEqual(["a2", "a3"]);
  });

  it("refuses an owner's item over the bound, and takes everybody else's", () => {
    const queue = new FairQueue<string>(1);
    expect(queue.push("a", "a1")).toBe(true);
    expect(queue.push("a", "a2")).toBe(false);
    for (let owner = 0; owner < 100; owner++) expect(queue.push(owner, `${owner}`)).toBe(true);
    expect(queue.takeAll()).toHaveLength(101);
    expect(queue.take()).toBeUndefined();
  });

  it("forgets an item that nobody waits for any more", () => {
    const queue = new FairQueue<string>(8);
    queue.push("a", "a1");
    queue.push("a", "a2");
    queue.remove("a", "a1");
    queue.remove("a", "unknown");
    queue.remove("b", "a2");
    expect(drain(queue)).toEqual(["a2"]);
  });
});
