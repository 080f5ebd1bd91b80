import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { createReopening } from "./reopening.ts";

it("[PROVIDER-4a] logs what was wrong when a connection is opened again, because a code alone names neither provider nor mistake", () => {
  const clock = new VirtualClock();
  const lines: object[] = [];
  const reopening = createReopening({
    what: "recogniser",
    open: () => Promise.resolve(),
    retry: { maxAttempts: 3, backoffFactor: 2, jitter: false },
    random: () => 1,
    clock,
    logger: { ...silentLogger, warn: (fields) => void lines.push(fields) },
    closed: new AbortController().signal,
    onLost: () => undefined,
  });
  const error = new VoiceError("upstream_unavailable", "the provider mine gave a final that is none", {
    retryable: true,
  });
  reopening.lost(error);
  reopening.lost(error);
  expect(lines).toEqual([
    { what: "recogniser", error, code: "upstream_unavailable", attempt: 1, delayMs: expect.any(Number) },
  ]);
});

describe("a connection that is lost again and again", () => {
  const away = new VoiceError("upstream_unavailable", "away", { retryable: true });

  function rig(patienceMs?: number) {
    const clock = new VirtualClock();
    const openings: number[] = [];
    const lost: number[] = [];
    const closing = new AbortController();
    const reopening = createReopening({
      what: "recogniser",
      open: async () => void openings.push(clock.now()),
      retry: { maxAttempts: 2, backoffFactor: 2, jitter: false },
      ...(patienceMs !== undefined && { patienceMs }),
      random: () => 1,
      clock,
      logger: silentLogger,
      closed: closing.signal,
      onLost: () => lost.push(clock.now()),
    });
    /** Fails as soon as it was opened, until nothing more is tried. */
    function failFor(ms: number): void {
      const untilMs = clock.now() + ms;
      reopening.lost(away);
      for (let known = openings.length; clock.now() < untilMs && lost.length === 0;) {
        clock.advance(10);
        if (openings.length === known) continue;
        known = openings.length;
        reopening.lost(away);
      }
    }
    return { clock, reopening, openings, lost, closing, failFor };
  }

  it("is given up when its attempts are used", () => {
    const { failFor, openings, lost } = rig();
    failFor(60_000);
    expect(openings).toHaveLength(2);
    expect(lost).toHaveLength(1);
  });

  it("is tried for longer, at least once a second, by whoever can do without it for a while", () => {
    const { clock, failFor, openings, lost } = rig(10_000);
    clock.advance(30_000);
    failFor(60_000);
    expect(lost[0]).toBeGreaterThanOrEqual(40_000);
    expect(lost[0]).toBeLessThan(41_500);
    expect(openings.length).toBeGreaterThan(8);
  });

  it("has all its attempts again once it was open for long enough", () => {
    const { clock, reopening, openings, lost } = rig();
    for (let loss = 0; loss < 5; loss++) {
      reopening.lost(away);
      clock.advance(5000);
      reopening.opened();
      clock.advance(10_001);
    }
    expect(openings).toHaveLength(5);
    expect(lost).toEqual([]);
  });

  it("is not opened again once everything has ended", () => {
    const { clock, reopening, openings, closing } = rig();
    reopening.lost(away);
    closing.abort();
    clock.advance(60_000);
    expect(openings).toEqual([]);
  });
});
