import { describe, expect, it } from "vitest";
import type { SessionNotice } from "../../transports/transport.ts";
import type { CallerSaid } from "../recording/session-recorder.ts";
import { noRecorder } from "../recording/session-recorder.ts";
import { createCallerWords } from "./caller-text.ts";

/** The recogniser has received nothing of the first minute. */
function rig() {
  const notices: SessionNotice[] = [];
  const recorded: CallerSaid[] = [];
  const words = createCallerWords({
    notify: (notice) => notices.push(notice),
    recorder: { ...noRecorder, callerSaid: (said) => recorded.push(said) },
    turnId: () => "turn-1",
    heardBeforeMs: 60_000,
  });
  return { words, notices, recorded };
}

describe("the caller's words after an earlier session of the same audio", () => {
  it("are at their place in all of the audio, while they are only a guess and when they are settled", () => {
    const { words, notices } = rig();
    words.partial("my", { start_ms: 500 });
    words.final({ text: "my card", startMs: 500, endMs: 1200 }, 90_000);
    expect(notices.map(({ payload }) => payload)).toMatchObject([
      { text: "my", is_final: false, start_ms: 60_500 },
      { text: "my card", is_final: true, start_ms: 60_500, end_ms: 61_200 },
    ]);
  });

  it("have no place where the recogniser names none", () => {
    const { words, notices } = rig();
    words.partial("my", { language: "en-GB" });
    words.partial("my");
    for (const { payload } of notices) {
      expect(payload).not.toHaveProperty("start_ms");
      expect(payload).not.toHaveProperty("end_ms");
    }
  });

  it("[REC-4] are recorded when they were said, by the session's own clock", () => {
    const { words, recorded } = rig();
    words.final({ text: "my card", startMs: 500, endMs: 1200 }, 90_000);
    expect(recorded).toEqual([{ text: "my card", turnId: "turn-1", startedAtMs: 89_300, endedAtMs: 90_000 }]);
  });

  it("are neither told nor recorded where none were recognised", () => {
    const { words, notices, recorded } = rig();
    words.final({ text: "", startMs: 500, endMs: 1200 }, 90_000);
    expect([...notices, ...recorded]).toEqual([]);
  });
});
