import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RecordedTranscript } from "../contracts/http/recordings.ts";
import { joinRecordings, joinTranscripts, partsOf } from "./joined-recording.ts";
import type { FilePart, JoinedRecording, StoredSegment } from "./joined-recording.ts";
import { wavHeader, wavHeaderBytes } from "./wav-header.ts";

const format = { sampleRateHz: 8000, channels: 2 } as const;
const bytesPerMs = 32;

function segment(recordingId: string, startedAtMs: number, lastedMs: number): StoredSegment {
  return { recordingId, startedAtMs, stored: { ...format, dataBytes: lastedMs * bytesPerMs } };
}

/** The bytes of a part, each recording filled with its own number. */
function bytesOf(part: FilePart): Uint8Array {
  if (part.kind === "bytes") return part.bytes;
  if (part.kind === "silence") return new Uint8Array(part.length);
  return new Uint8Array(part.end - part.start).fill(Number(part.recordingId));
}

const fileOf = (joined: JoinedRecording, start = 0, end = joined.fileBytes): Buffer =>
  Buffer.concat(partsOf(joined, start, end).map(bytesOf));

describe("joined recordings", () => {
  it("[REC-7] follow each other with the silence that was between them", () => {
    const joined = joinRecordings([segment("1", 1000, 100), segment("2", 1150, 50)]);
    const file = fileOf(joined);
    expect(file).toEqual(
      Buffer.concat([
        wavHeader(format, 200 * bytesPerMs),
        new Uint8Array(100 * bytesPerMs).fill(1),
        new Uint8Array(50 * bytesPerMs),
        new Uint8Array(50 * bytesPerMs).fill(2),
      ]),
    );
    expect(file).toHaveLength(joined.fileBytes);
  });

  it("[REC-7] have no silence longer than half a minute, and lose nothing where they overlap", () => {
    const joined = joinRecordings([
      segment("1", 0, 1000),
      segment("2", 86_400_000, 1000),
      segment("3", 86_400_500, 10),
    ]);
    expect(joined.segments.map(({ offset }) => offset / bytesPerMs)).toEqual([0, 31_000, 32_000]);
  });

  it("do not join what has different formats", () => {
    const other = { ...segment("2", 5000, 10), stored: { sampleRateHz: 24_000, channels: 2 as const, dataBytes: 96 } };
    expect(() => joinRecordings([segment("1", 0, 10), other])).toThrow("different formats");
  });

  it("[REC-8] give any part of the file as the whole file has it", () => {
    const joined = joinRecordings([segment("1", 0, 7), segment("2", 9, 4), segment("3", 13, 0), segment("4", 20, 3)]);
    const whole = fileOf(joined);
    fc.assert(
      fc.property(fc.nat(joined.fileBytes), fc.nat(joined.fileBytes), (one, other) => {
        const [start, end] = [Math.min(one, other), Math.max(one, other)];
        expect(fileOf(joined, start, end)).toEqual(whole.subarray(start, end));
      }),
    );
    expect(whole).toHaveLength(wavHeaderBytes + 23 * bytesPerMs);
  });

  it("[REC-4] [REC-7] have one transcript on one time line", () => {
    const joined = joinRecordings([segment("1", 1000, 100), segment("2", 1150, 50)]);
    const said = (text: string): RecordedTranscript => ({
      session_id: "s",
      recording_id: text,
      started_at: new Date(0).toISOString(),
      duration_ms: null,
      sample_rate: 8000,
      channels: ["caller", "agent"],
      entries: [
        { speaker: "caller", agent: null, text, start_ms: 5, end_ms: 9, turn_id: "turn-1", interrupted: false },
      ],
    });
    const transcript = joinTranscripts(
      "s",
      joined,
      new Map([
        ["1", said("one")],
        ["2", said("two")],
      ]),
    );
    expect(transcript).toMatchObject({
      duration_ms: 200,
      recordings: [
        { recording_id: "1", start_ms: 0, duration_ms: 100 },
        { recording_id: "2", start_ms: 150, duration_ms: 50 },
      ],
      entries: [
        { text: "one", start_ms: 5, end_ms: 9 },
        { text: "two", start_ms: 155, end_ms: 159 },
      ],
    });
  });
});
