import { describe, expect, it } from "vitest";
import { createRecordingId, recordingsOf } from "./recording-owner.ts";

const wallNowMs = Date.UTC(2026, 10, 21, 12);
const [alices, bobs, operators] = [
  { sessionId: "session-1", owner: "alice" },
  { sessionId: "session-1", owner: "bob" },
  { sessionId: "session-1" },
];
const sessions = [alices, bobs, operators];

describe("whose a recording is", () => {
  it("[REC-10] is said by its id, which begins with its time and shows no name", () => {
    expect(createRecordingId(operators, wallNowMs)).toMatch(/^20261121t120000000z-[\da-f]{8}$/);
    expect(createRecordingId(alices, wallNowMs)).toMatch(/^20261121t120000000z-[\da-f]{8}-[\da-f]{16}$/);
    const marks = [alices, bobs, { ...alices, sessionId: "session-2" }].map(
      (session) => createRecordingId(session, wallNowMs).split("-")[2],
    );
    expect(new Set(marks).size).toBe(3);
  });

  it("[REC-9] tells the recordings of everybody who has used the session's id apart", () => {
    const ids = sessions.map((session) => createRecordingId(session, wallNowMs));
    const told = sessions.map((session) => ids.map(recordingsOf(session, [])));
    expect(told).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
  });

  it("[REC-9] is not changed by a conversation of somebody else that lists it", () => {
    const hers = createRecordingId(alices, wallNowMs);
    const known = [{ owner: "bob", recordingIds: [hers] }];
    expect(sessions.map((session) => recordingsOf(session, known)(hers))).toEqual([true, false, false]);
  });

  it("[REC-9] is known by the conversation that lists it, where the id is from before ids said it", () => {
    const known = [
      { owner: "alice", recordingIds: ["20261101t120000000z-0a1b2c3d"] },
      { owner: "bob", recordingIds: ["20261102t120000000z-0a1b2c3d"] },
    ];
    const ids = ["20261101t120000000z-0a1b2c3d", "20261102t120000000z-0a1b2c3d", "20261103t120000000z-0a1b2c3d"];
    const told = sessions.map((session) => ids.map(recordingsOf(session, known)));
    expect(told).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
  });
});
