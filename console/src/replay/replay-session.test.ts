import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { ApiProblem } from "../api/api-problem.ts";
import { nextDifference, nextFailure, ReplaySession, testOf } from "./replay-session.ts";

const text = readFileSync(
  new URL("../../../streaming-host/src/session/flight/kept/thanks-while-the-agent-answers.json", import.meta.url),
  "utf8",
);

/** As a machine had decided it that did nothing at the first step of the first piece. */
function withDifference(): string {
  const record: { segments: { steps: { effects: unknown[] }[] }[] } = JSON.parse(text);
  record.segments[0]?.steps[0]?.effects.splice(0);
  return JSON.stringify(record);
}

/** With the failures of a reply that was over by then, about which nothing had to be decided. */
function withFailures(...places: readonly number[]): string {
  const record: { segments: { steps: { event: { atMs: number }; effects: unknown[] }[] }[] } = JSON.parse(text);
  const steps = record.segments[0]?.steps ?? [];
  for (const place of places) {
    const event = { type: "reply-failed", turnId: "turn-99", failure: "voice", atMs: steps[place]?.event.atMs ?? 0 };
    steps.splice(place, 0, { event, effects: [] });
  }
  return JSON.stringify(record);
}

function open(record: string) {
  const session = new ReplaySession(() => Promise.reject(new Error("nobody asked")));
  session.openText(record);
  const state = session.store.get();
  if (state.kind !== "open") throw new Error("it is open");
  return { session, state };
}

describe("the replay", () => {
  it("[FLIGHT-6a] decides a record again in the page, step by step", () => {
    const { session, state } = open(text);
    expect(state.steps.length).toBeGreaterThan(10);
    expect(state.differences).toEqual([]);
    session.select(3);
    session.select(4);
    expect(session.store.get()).toMatchObject({ selected: 4 });
    session.select(1_000_000);
    expect(session.store.get()).toMatchObject({ selected: state.steps.length - 1 });
    session.select(-1);
    expect(session.store.get()).toMatchObject({ selected: 0 });
  });

  it("[FLIGHT-6b] begins at the first step that is decided differently now", () => {
    const { session, state } = open(withDifference());
    expect(state.differences).toEqual([0]);
    session.select(5);
    const later = session.store.get();
    expect(later.kind === "open" && nextDifference(later)).toBe(0);
  });

  it("[FLIGHT-6b] begins at the first failure where nothing is decided differently, and finds the next one", () => {
    const { session, state } = open(withFailures(2, 5));
    expect(state).toMatchObject({ differences: [], failures: [2, 5], selected: 2 });
    expect(nextFailure(state)).toBe(5);
    session.select(5);
    const later = session.store.get();
    expect(later.kind === "open" && nextFailure(later)).toBe(2);
  });

  it("[FLIGHT-6c] makes a test of it: the file that the command would have kept", () => {
    const { state } = open(text);
    const { fileName, text: kept } = testOf(state, "Thanks while the agent answers");
    expect(fileName).toBe("thanks-while-the-agent-answers.json");
    expect(kept).toBe(text);
  });

  it("asks the service for a session's record, and says why there is none", async () => {
    const session = new ReplaySession(() =>
      Promise.reject(new ApiProblem(404, { detail: "No flight record was kept of this session.", type: "not_found" })),
    );
    session.load("session-1");
    expect(session.store.get()).toEqual({ kind: "loading" });
    await Promise.resolve();
    await Promise.resolve();
    expect(session.store.get()).toEqual({ kind: "failed", problem: "No flight record was kept of this session." });
  });

  it.each(["not json", "{}"])("says that %j is no record", (file) => {
    const session = new ReplaySession(() => Promise.reject(new Error("nobody asked")));
    session.openText(file);
    expect(session.store.get().kind).toBe("failed");
  });
});
