import { describe, expect, it } from "vitest";
import { heartbeat } from "../state/ports/small-stores.contract.ts";
import { freePlaces } from "./fleet-capacity.ts";

describe("the places that are free", () => {
  it("[FULL-1] are those that the serving hosts have and that nobody has taken", () => {
    const hosts = [
      { ...heartbeat("one"), maxSessions: 10, placesTaken: 4 },
      { ...heartbeat("full"), maxSessions: 10, placesTaken: 12 },
      { ...heartbeat("leaving"), maxSessions: 10, placesTaken: 0, draining: true },
      { ...heartbeat("beginning"), maxSessions: 10, placesTaken: 0, ready: false },
    ];
    expect(freePlaces(hosts)).toBe(6);
  });

  it("are counted from the sessions of a host that does not report its places", () => {
    const sessions = { phone: 1, browser: 2, media: 0, telephony: 3 };
    expect(freePlaces([{ ...heartbeat("old"), maxSessions: 10, placesTaken: undefined, sessions }])).toBe(4);
  });

  it("are without limit while no host serves, because a call then waits for one", () => {
    expect(freePlaces([])).toBe(Number.POSITIVE_INFINITY);
  });
});
