import { describe, expect, it } from "vitest";
import { notUnderstoodItem, readNotUnderstood } from "./not-understood.ts";

const place = { agent: "Concierge", turnId: "turn-3", timestampMs: 0 };

describe("remarks on what was not understood", () => {
  it("keep the guess at what it may have been [TURN-16a]", () => {
    expect(readNotUnderstood(notUnderstoodItem(place, "block my card"))).toEqual({ guess: "block my card" });
  });

  it("are remarks without one, too", () => {
    expect(readNotUnderstood(notUnderstoodItem(place, undefined))).toEqual({ guess: undefined });
  });

  it("are told from what else the history has", () => {
    expect(readNotUnderstood({ role: "system", content: "This call is recorded." })).toBeUndefined();
    const { content } = notUnderstoodItem(place, undefined);
    expect(readNotUnderstood({ role: "user", content })).toBeUndefined();
  });
});
