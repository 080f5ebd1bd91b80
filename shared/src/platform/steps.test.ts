import { describe, expect, it } from "vitest";
import { atOnce, inSlices, sliceMs, type Steps } from "./steps.ts";

/** Each piece takes a bit more than a slice may. */
function* longWork(name: string, pieces: number, log: string[]): Steps<string> {
  for (let piece = 0; piece < pieces; piece += 1) {
    const endsAtMs = performance.now() + sliceMs + 1;
    while (performance.now() < endsAtMs);
    log.push(name);
    yield;
  }
  return name;
}

describe("work in steps", () => {
  it("is done in one go where nobody waits", () => {
    const log: string[] = [];
    expect(atOnce(longWork("one", 2, log))).toBe("one");
    expect(log).toEqual(["one", "one"]);
  });

  it("lets the event loop go round after each slice, however many are at work", async () => {
    const log: string[] = [];
    let isDone = false;
    const serve = (): void => {
      log.push("served");
      if (!isDone) setImmediate(serve);
    };
    setImmediate(serve);
    const both = Promise.all([inSlices(longWork("one", 3, log)), inSlices(longWork("two", 2, log))]);
    expect(await both).toEqual(["one", "two"]);
    isDone = true;
    const pieces = log.filter((entry) => entry !== "served");
    expect(pieces).toEqual(["one", "one", "two", "one", "two"]);
    for (const [at, entry] of log.entries()) if (entry !== "served") expect(log[at + 1]).toBe("served");
  });

  it("hands on what a step throws, and goes on with the others", async () => {
    const broken = inSlices(
      (function* (): Steps<string> {
        yield;
        throw new Error("broken");
      })(),
    );
    const sound = inSlices(longWork("sound", 1, []));
    await expect(broken).rejects.toThrow("broken");
    expect(await sound).toBe("sound");
  });
});
