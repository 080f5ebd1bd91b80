import { describe, expect, it } from "vitest";
import { formatAudioMessage, formatTextMessage, parseSpeechMessage, toTicks } from "./framing.ts";

describe("the Speech message format", () => {
  it("reads what it writes as text", () => {
    const message = parseSpeechMessage(Buffer.from(formatTextMessage("turn.start", "ABC", { context: 1 })), false);
    expect(message).toMatchObject({
      path: "turn.start",
      requestId: "ABC",
      body: { kind: "text", text: '{"context":1}' },
    });
  });

  it("reads what it writes as audio", () => {
    const message = parseSpeechMessage(formatAudioMessage("ABC", "DEF", new Uint8Array([1, 2, 3])), true);
    expect(message).toMatchObject({ path: "audio", requestId: "ABC" });
    expect(message?.headers.get("x-streamid")).toBe("DEF");
    expect(message?.body).toEqual({ kind: "binary", bytes: Buffer.from([1, 2, 3]) });
  });

  it.each([
    ["text without an end of its headers", Buffer.from("Path: x\r\n"), false],
    ["a binary frame without a length", Buffer.from([1]), true],
    ["a binary frame shorter than its headers", Buffer.from([0, 9, 65]), true],
  ])("does not read %s", (_, data, isBinary) => {
    expect(parseSpeechMessage(data, isBinary)).toBeUndefined();
  });

  it("counts time in units of 100 ns", () => {
    expect(toTicks(1.5)).toBe(15_000);
  });
});
