import { describe, expect, it } from "vitest";
import { parseMediaFrame } from "./media-frame.ts";

describe("a frame of the communication service", () => {
  it.each([
    ["zero one two three four five six seven eight nine", "0 1 2 3 4 5 6 7 8 9"],
    ["Pound ASTERISK a b c d", "# * A B C D"],
    ["0 9 * # A D 123#", "0 9 * # A D 123#"],
  ])("[TURN-9a] has the keys %s", (names, keys) => {
    const digits = names
      .split(" ")
      .map((data) => parseMediaFrame(JSON.stringify({ kind: "DtmfData", dtmfData: { data } })));
    expect(digits).toEqual(keys.split(" ").map((key) => ({ kind: "dtmf", digits: key })));
  });

  it.each(["", "eleven", "constructor", "1".repeat(33)])("[FR-3] does not have the key %o", (data) => {
    expect(parseMediaFrame(JSON.stringify({ kind: "DtmfData", dtmfData: { data } }))).toMatchObject({
      kind: "invalid",
      problem: expect.stringMatching(/^Invalid DtmfData: dtmfData\.data: must be keys/),
    });
  });

  it.each([
    '{"kind":"AudioData","audioData":{"data":"AAE=","silent":true}}',
    '{"Kind":"AudioData","AudioData":{"Data":"AAE=","Silent":true}}',
    '{"kind":"audiodata","audioData":{"timestamp":"x","data":"AAE=","silent": true}}',
    ' { "kind" : "AudioData" , "audioData" : { "silent" : true , "data" : "AAE=" } }',
    String.raw`{"kind":"AudioData","audioData":{"data":"AAE\u003d","silent":true}}`,
  ])("[FR-1] has its audio, and whether it is silent, however it is written: %s", (text) => {
    expect(parseMediaFrame(text)).toEqual({ kind: "audio", data: "AAE=", silent: true });
  });

  it.each([
    '{"kind":"AudioData","audioData":{"silent":null}}',
    '{"kind":"AudioData","audioData":null}',
    '{"kind":"AudioData"}',
    '{"Kind":"AudioData","AudioData":{"Data":""}}',
  ])("[FR-2] may have no audio, and is then not called silent: %s", (text) => {
    expect(parseMediaFrame(text)).toEqual({ kind: "audio", data: "", silent: false });
  });

  it.each([
    '{"kind":"AudioData","audioData":{"data":"AAE',
    '{"kind":"AudioData"',
    "",
    "[]",
    '{"kind":"Dance"}',
    '{"kind":1}',
  ])("[FR-3] is not what this is: %o", (text) => {
    expect(parseMediaFrame(text)).toBeUndefined();
  });

  it("[FR-3] says what is wrong with it", () => {
    const problems = [
      { kind: "AudioMetadata" },
      { Kind: "AudioMetadata", AudioMetadata: { SampleRate: "fast" } },
      { kind: "TranscriptionData", transcriptionData: { offset: 1 } },
      { kind: "TranscriptionData" },
    ].map((frame) => parseMediaFrame(JSON.stringify(frame)));
    expect(problems).toMatchObject([
      { kind: "invalid", problem: "Invalid AudioMetadata: audioMetadata: is missing." },
      { kind: "invalid", problem: expect.stringContaining("Invalid AudioMetadata: audioMetadata.sampleRate: ") },
      { kind: "invalid", problem: expect.stringContaining("Invalid TranscriptionData: transcriptionData.text: ") },
      { kind: "invalid", problem: "Invalid TranscriptionData: transcriptionData: is missing." },
    ]);
  });

  it("[MEDIA-5] has the time of its words in milliseconds, where it says it", () => {
    const words = (more: object) =>
      parseMediaFrame(JSON.stringify({ kind: "TranscriptionData", transcriptionData: { text: "hello", ...more } }));
    expect(words({ offset: 12_000_000, duration: 5_000_000, resultStatus: "Final" })).toEqual({
      kind: "transcription",
      text: "hello",
      isFinal: true,
      startMs: 1200,
      endMs: 1700,
    });
    expect(words({ offset: 10_000, resultStatus: "Intermediate" })).toMatchObject({
      isFinal: false,
      startMs: 1,
      endMs: 1,
    });
    expect(words({})).toMatchObject({ isFinal: false, startMs: 0, endMs: 0 });
    expect(parseMediaFrame('{"kind":"TranscriptionMetadata"}')).toEqual({ kind: "other" });
  });
});
