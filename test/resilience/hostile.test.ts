/** The short form of `npm run hostile`: nothing gives way, and everybody else is still served. */
import { beforeAll, describe, expect, it } from "vitest";
import { memoryLeft, type Figures } from "../hostile/figures.ts";
import { runHostileSuite } from "../hostile/run-suite.ts";
import { attackKinds, shortSize } from "../hostile/suite-plan.ts";

/** Of the service's own time, so that other processes do not count; a slow machine still takes some times as long as a quick one. */
const longestBusyMs = 1000;
/** Sessions are kept for a while, here within the process. */
const mostMemoryLeft = 60_000_000;

/** It takes 20 s; on a machine that does ten other things it takes some times as long. */
const patienceMs = 400_000;

let figures: Figures;

beforeAll(async () => {
  figures = await runHostileSuite({ size: shortSize, kinds: attackKinds, rounds: 1, onRedis: false }, () => undefined);
}, patienceMs);

describe("hostile clients", () => {
  it("are refused in ways that were foreseen", () => {
    expect(figures.inputs).toBeGreaterThan(1000);
    expect(figures.unforeseen).toEqual([]);
  });

  it("get in nowhere with tokens that somebody made", () => {
    expect(figures.unauthorisedAccesses).toEqual([]);
  });

  it("hold up no other caller", () => {
    expect(figures.rounds[0]?.waiting.longestBusyMs).toBeLessThan(longestBusyMs);
  });

  it("keep no descriptor of a socket that was refused", () => {
    expect(figures.openSocketsLeft).toBe(0);
  });

  it("leave the memory as it was, but for what is kept for a while", () => {
    expect(memoryLeft(figures)).toBeLessThan(mostMemoryLeft);
  });
});
