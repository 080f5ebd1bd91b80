/** The short form of `npm run hostile`: nothing gives way, and everybody else is still served. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Figures } from "../hostile/figures.ts";
import { runHostileSuite, shortSuite } from "../hostile/run-suite.ts";

/** Other processes alone can take a second from the service here. What this catches took 13 s and more. */
const longestStallMs = 5000;

let figures: Figures;

beforeAll(async () => {
  figures = await runHostileSuite(shortSuite, () => undefined);
});

describe("hostile clients", () => {
  it("are refused in ways that were foreseen", () => {
    expect(figures.inputs).toBeGreaterThan(1000);
    expect(figures.unforeseen).toEqual([]);
  });

  it("get in nowhere with tokens that somebody made", () => {
    expect(figures.unauthorisedAccesses).toEqual([]);
  });

  it("hold up no other caller", () => {
    expect(figures.longestStallMs).toBeLessThan(longestStallMs);
  });

  it("keep no descriptor of a socket that was refused", () => {
    expect(figures.openSocketsLeft).toBe(0);
  });

  it("leave the memory as it was, but for what is kept for a while", () => {
    expect(figures.memoryAfter).toBeLessThan(figures.memoryBefore + 200_000_000);
  });
});
