import { describe, expect, it } from "vitest";
import { KnownSessions } from "./known-sessions.ts";
import { newSession } from "./ports/session-store.contract.ts";
import type { HistoryItem } from "./ports/session-store.ts";

const known = (sessionId: string) => ({
  record: { ...newSession(sessionId, 0), version: 1, lastActivityAtMs: 0 },
  storedVersion: 1,
});

const said = (characters: number): HistoryItem => ({
  role: "user",
  content: "x".repeat(characters),
  agent: "front-desk",
  turnId: "turn-1",
  timestampMs: 0,
  interrupted: false,
});

describe("what a process knows of sessions", () => {
  it("is of those that were touched last", () => {
    const sessions = new KnownSessions({ maxSessions: 2 });
    for (const id of ["a", "b", "a", "c"]) sessions.set(known(id));
    expect([...sessions.all()].map(({ record }) => record.sessionId)).toEqual(["a", "c"]);
  });

  it("[HIST-6] has what was said in the order in which the turns began", () => {
    const sessions = new KnownSessions();
    sessions.set(known("a"));
    sessions.learn("a", []);
    sessions.append("a", [{ ...said(1), begunAtMs: 2 }]);
    sessions.append("a", [{ ...said(3), begunAtMs: 1 }]);
    expect(sessions.get("a")?.history?.map(({ content }) => content)).toEqual(["xxx", "x"]);
  });

  it("is no more than so many characters of what was said, and every session itself", () => {
    const sessions = new KnownSessions({ maxCharacters: 1000 });
    for (const id of ["a", "b", "c"]) {
      sessions.set(known(id));
      sessions.learn(id, [said(30)]);
    }
    sessions.append("a", [said(20)]);
    const characters = () => ["a", "b", "c"].map((id) => sessions.get(id)?.history?.map((item) => item.content.length));
    expect(characters()).toEqual([[30, 20], undefined, [30]]);
    sessions.append("b", [said(10)]); // what came before it is forgotten
    sessions.append("c", [said(1000)]); // more than there may be of all together
    expect(characters()).toEqual([undefined, undefined, undefined]);
    sessions.learn("b", [said(700)]);
    expect(characters()).toEqual([undefined, [700], undefined]);
    sessions.forget("b");
    sessions.learn("b", [said(10)]); // it is not known any more
    sessions.learn("a", [said(100)]);
    expect(characters()).toEqual([[100], undefined, undefined]);
  });
});
