import type { RecordedWords } from "@voice/shared/contracts/http/recordings";
import { toWebVtt } from "@voice/shared/recordings/captions";
import { describe, expect, it } from "vitest";
import { TranscriptEntries } from "./transcript-entries.ts";

const about = {
  session_id: "session-1",
  recording_id: "recording-1",
  started_at: "2026-03-21T10:00:00.000Z",
  duration_ms: null,
  sample_rate: 16_000,
  channels: ["caller" as const, "agent" as const],
};

function words(text: string, start_ms: number): RecordedWords {
  return {
    speaker: "caller",
    agent: null,
    text,
    turn_id: "turn-1",
    interrupted: false,
    start_ms,
    end_ms: start_ms + 10,
  };
}

describe("what was said in a recording", () => {
  it.each([
    ["nothing", []],
    ["one entry", [words("hello", 0)]],
    ["several, in the order of their beginning", [words("second", 20), words('"first"\nwith a line end', 10)]],
  ])("[REC-4] is formatted as a whole would be: %s", (_, entries) => {
    const written = new TranscriptEntries();
    for (const entry of entries) written.add(entry);
    const sorted = entries.toSorted((one, other) => one.start_ms - other.start_ms);
    expect(written.count).toBe(entries.length);
    expect(written.documents(about)).toEqual({
      transcript: `${JSON.stringify({ ...about, entries: sorted }, undefined, 2)}\n`,
      captions: toWebVtt(sorted),
    });
  });
});
