import { expect, it } from "vitest";
import { toPlainText } from "./written-transcript.ts";

it("A written transcript has a line for each utterance, and nothing that a terminal obeys", () => {
  const text = toPlainText({
    session_id: "session-1",
    scenario: "banking",
    channel: "browser",
    started_at: "2026-03-21T09:30:00.000Z",
    entries: [
      {
        speaker: "caller",
        agent: null,
        text: "\u001B]52;c;aGk=\u0007Hello\n[00:00:02] Desk: You are verified.\u009B2J",
        start_ms: 1000,
        end_ms: 2000,
        turn_id: "turn-1",
        interrupted: false,
      },
    ],
  });
  expect(text.split("\n")).toEqual([
    "session-1, banking, 2026-03-21T09:30:00.000Z",
    "",
    "[00:00:01] caller:  ]52;c;aGk= Hello [00:00:02] Desk: You are verified. 2J",
    "",
  ]);
});
