import { describe, expect, it } from "vitest";
import { BadRequestError, VoiceError } from "../platform/errors.ts";
import { Recall } from "./recall.ts";

const outage = new VoiceError("cache_connection_failed", "away");

describe("what a process recalls while the store is away", () => {
  it("[CACHE-5a] is what it read or wrote last", async () => {
    let hasStore = true;
    const recall = new Recall<string>(async () => hasStore);
    expect(await recall.read("a", async () => "read")).toBe("read");
    recall.note("b", "written");
    hasStore = false;
    const neverAsked = (): Promise<string> => expect.fail("the store is away");
    expect(await recall.read("a", neverAsked)).toBe("read");
    expect(await recall.read("b", neverAsked)).toBe("written");
  });

  it("[CACHE-5a] also counts in the moment in which nobody has noticed the outage", async () => {
    const recall = new Recall<string>(async () => true);
    recall.note("a", "known");
    expect(await recall.read("a", () => Promise.reject(outage))).toBe("known");
  });

  it("is nothing that it has never known, and the error says that the store is away", async () => {
    const recall = new Recall<string>(async () => false);
    await expect(recall.read("a", async () => "x")).rejects.toMatchObject({ code: "cache_connection_failed" });
    const failing = new Recall<string>(async () => true);
    await expect(failing.read("a", () => Promise.reject(outage))).rejects.toBe(outage);
  });

  it("does not stand in for an answer that the store has given", async () => {
    const recall = new Recall<string>(async () => true);
    recall.note("a", "old");
    const refusal = new BadRequestError("not_found", "gone");
    await expect(recall.read("a", () => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(await recall.read("a", async () => "new")).toBe("new");
  });

  it("forgets what was untouched for longest", async () => {
    const recall = new Recall<string>(async () => false, { maxKeys: 2 });
    for (const key of ["a", "b", "a", "c"]) recall.note(key, key);
    expect(await recall.read("a", async () => "x")).toBe("a");
    await expect(recall.read("b", async () => "x")).rejects.toThrow("away");
  });

  it("is no more than so many characters, however large each is", async () => {
    const limits = { maxCharacters: 100, charactersOf: (value: string) => value.length };
    const recall = new Recall<string>(async () => false, limits);
    recall.note("large", "x".repeat(60));
    recall.note("small", "y");
    recall.note("next", "z".repeat(60));
    expect([recall.peek("large"), recall.peek("small"), recall.peek("next")?.length]).toEqual([undefined, "y", 60]);
    recall.note("too large", "x".repeat(101));
    expect(recall.peek("too large")).toBeUndefined();
  });
});
