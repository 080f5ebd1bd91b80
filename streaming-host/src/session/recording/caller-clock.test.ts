import { describe, expect, it } from "vitest";
import { CallerClock } from "./caller-clock.ts";

const rateHz = 16_000;
const frames = (ms: number): number => (ms * rateHz) / 1000;
const frame = frames(20);

const noMoves = (): void => expect.fail("nothing is moved");

/** Chunks of 20 ms that arrive at these milliseconds: where each was put, in milliseconds. */
function place(clock: CallerClock, arrivals: readonly number[]): (number | undefined)[] {
  return arrivals.map((atMs) => {
    const start = clock.place(frame, frames(atMs));
    return start === undefined ? undefined : (start * 1000) / rateHz;
  });
}

/** A chunk every 20 ms. */
const steady = (fromMs: number, count: number, paceMs = 20): number[] =>
  Array.from({ length: count }, (_none, index) => fromMs + index * paceMs);

describe("the caller's clock", () => {
  it("begins so that the first chunk ends now", () => {
    expect(place(new CallerClock(rateHz, noMoves), [500, 520])).toEqual([480, 500]);
    expect(new CallerClock(rateHz, noMoves).place(frames(400), frames(500))).toBe(frames(100));
  });

  it("[REC-2c] joins chunks that the network bunched together", () => {
    const clock = new CallerClock(rateHz, noMoves);
    place(clock, steady(20, 50));
    expect(place(clock, [1400, 1400, 1401, 1401, 1402])).toEqual([1000, 1020, 1040, 1060, 1080]);
  });

  it("[REC-2e] leaves a silence where the caller's audio paused", () => {
    const clock = new CallerClock(rateHz, noMoves);
    place(clock, steady(20, 50));
    expect(place(clock, [8000, 8020])).toEqual([7980, 8000]);
  });

  it("[REC-2c] joins what follows a gap, because the network may be late, and moves it when it is not", () => {
    const moves: number[][] = [];
    const clock = new CallerClock(rateHz, (...move) => moves.push(move.map((at) => (at * 1000) / rateHz)));
    place(clock, steady(20, 50));
    const placed = place(clock, steady(1520, 300));
    // A third of a second of it was joined to what came before.
    expect(placed.slice(0, 15)).toEqual(steady(1000, 15));
    expect(moves).toEqual([[1000, 1300, 500]]);
    expect(placed.slice(15)).toEqual(steady(1800, 285));
  });

  it("[REC-2c] moves nothing where a late network catches up, at once or slowly", () => {
    const clock = new CallerClock(rateHz, noMoves);
    place(clock, steady(20, 50));
    // 0.8 s of nothing, then five times as fast as it is spoken.
    expect(place(clock, steady(1820, 50, 4))).toEqual(steady(1000, 50));
    expect(place(clock, [...Array.from({ length: 40 }, () => 2820), ...steady(2840, 50)])).toEqual(steady(2000, 90));
  });

  it("[REC-2e] stays with real time for hours although the peer's clock is slow, or fast", () => {
    for (const paceMs of [20.01, 19.99]) {
      const clock = new CallerClock(rateHz, noMoves);
      const hours = steady(20, (3 * 3_600_000) / 20, paceMs);
      const placed = place(clock, hours);
      for (const [index, atMs] of hours.entries()) {
        const off = (placed[index] ?? 0) + 20 - atMs;
        if (Math.abs(off) > 25) throw new Error(`chunk ${index} is ${off} ms off`);
      }
      expect(placed).toHaveLength(hours.length);
    }
  });

  it("[REC-2c] is right at once although the first chunks had waited, and came together", () => {
    const clock = new CallerClock(rateHz, noMoves);
    // What was sent while the conversation was opened: it was said before the recording began.
    const placed = place(clock, [...Array.from({ length: 20 }, () => 10), ...steady(30, 150)]);
    // Within a frame.
    expect(placed.slice(20)).toEqual(steady(30, 150));
  });

  function withMoves() {
    const moves: number[][] = [];
    const clock = new CallerClock(rateHz, (...move) => moves.push(move.map((at) => (at * 1000) / rateHz)));
    place(clock, steady(20, 50));
    return { clock, moves };
  }
  const burst = (count: number, atMs: number): number[] => Array.from({ length: count }, () => atMs);

  it("[REC-2d] puts what a silent network has held back where it was said", () => {
    const { clock, moves } = withMoves();
    const placed = place(clock, [...burst(100, 3000), ...steady(3020, 300)]);
    expect(placed.slice(0, 2)).toEqual([2980, 3000]);
    expect(moves).toEqual([[2980, 3020, -1980]]);
    expect(placed.slice(2)).toEqual(steady(1040, 398));
  });

  it("[REC-2d] puts it there as well where it comes in the long chunks of a telephony platform", () => {
    const moves: number[][] = [];
    const clock = new CallerClock(8000, (...move) => moves.push(move.map((at) => at / 8)));
    const hear = (atMs: number): number => (clock.place(1600, atMs * 8) ?? Number.NaN) / 8;
    for (const atMs of steady(200, 10, 200)) hear(atMs);
    // On a clock that goes on meanwhile.
    expect(Array.from({ length: 8 }, (_, chunk) => hear(3600 + chunk / 100))).toEqual([3400, ...steady(2200, 7, 200)]);
    expect(moves).toEqual([[3400, 3600, -1400]]);
  });

  it("[REC-2c] puts a few chunks at once after a pause where they came, as a peer sends that sends only speech", () => {
    const { clock, moves } = withMoves();
    const placed = place(clock, [...burst(5, 3000), ...steady(3020, 300)]);
    expect(moves).toEqual([
      [2980, 3020, -1980],
      [1000, 1380, 1900],
    ]);
    expect(placed.slice(20)).toEqual(steady(3300, 285));
  });

  it("[REC-2c] moves what followed a pause to where it came, before the next pause", () => {
    const { clock, moves } = withMoves();
    expect(place(clock, [...burst(5, 3000), 6000, 6020]).slice(5)).toEqual([5980, 6000]);
    expect(moves.at(-1)).toEqual([1000, 1100, 1900]);
  });

  it("[REC-2c] does not take the jitter of a peer for a burst once it has gone on", () => {
    const { clock, moves } = withMoves();
    place(clock, [...steady(3020, 15), 3300, 3300, 3300, ...steady(3380, 50)]);
    expect(moves).toEqual([]);
  });

  it("[REC-2d] keeps the beginning of what was held back for longer than its silence is kept open", () => {
    const { clock, moves } = withMoves();
    const placed = place(clock, burst(300, 7000));
    expect(moves).toEqual([[6980, 7020, -2980]]);
    expect(placed.slice(2, 150)).toEqual(steady(4040, 148));
    expect(placed.at(-1)).toBeUndefined();
  });

  it("says from where on something may still come", () => {
    const { clock } = withMoves();
    const openMs = (): number => ((clock.openFrom ?? -1) * 1000) / rateHz;
    expect(openMs()).toBe(1000);
    place(clock, [3000]);
    expect(openMs()).toBe(1000);
    place(clock, burst(4, 3000));
    expect(openMs()).toBe(1000);
    place(clock, steady(3020, 20));
    expect(openMs()).toBe(3400);
    expect(new CallerClock(rateHz, noMoves).openFrom).toBeUndefined();
  });
});
