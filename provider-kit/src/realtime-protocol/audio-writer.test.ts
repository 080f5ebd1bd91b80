import { describe, expect, it } from "vitest";
import { base64FromSamples } from "../audio/pcm16.ts";
import { AudioWriter } from "./audio-writer.ts";

const tone = (samples: number): Int16Array =>
  Int16Array.from({ length: samples }, (_, index) => ((index * 7919) % 65_536) - 32_768);
const event = (samples: Int16Array): string =>
  JSON.stringify({ type: "input_audio_buffer.append", audio: base64FromSamples(samples) });

function connection({ readyState = 1, isKnown = true } = {}) {
  const frames: Buffer[] = [];
  const byLibrary: string[] = [];
  const writer = new AudioWriter({ OPEN: 1, readyState, send: (text) => byLibrary.push(text) });
  if (isKnown) writer.writeTo({ write: (frame) => frames.push(frame) });
  return { writer, byLibrary, written: () => Buffer.concat(frames) };
}

/** What a server makes of the frames: their masks and their texts. */
function read(data: Buffer): { readonly mask: string; readonly text: string }[] {
  const frames = [];
  for (let at = 0; at < data.length;) {
    expect(data.subarray(at, at + 2)).toEqual(Buffer.of(0x81, 0xfe)); // a whole text; masked, with a length in two bytes
    const length = data.readUInt16BE(at + 2);
    const mask = data.subarray(at + 4, at + 8);
    const payload = data.subarray(at + 8, at + 8 + length).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
    frames.push({ mask: mask.toString("hex"), text: Buffer.from(payload).toString("latin1") });
    at += 8 + length;
  }
  return frames;
}

describe("the caller's audio on its way to a realtime service", () => {
  it("is one masked frame for each piece, of any length that the header can hold", () => {
    const pieces = [480, 160, 481, 30, 24_000].map(tone);
    const { writer, written, byLibrary } = connection();
    for (const piece of pieces) writer.append(piece);
    expect(read(written()).map(({ text }) => text)).toEqual(pieces.map(event));
    expect(byLibrary).toEqual([]);
  });

  it("has a mask of its own in every frame", () => {
    const { writer, written } = connection();
    for (let frame = 0; frame < 2500; frame++) writer.append(tone(30));
    expect(new Set(read(written()).map(({ mask }) => mask)).size).toBeGreaterThan(2490);
  });

  it("is left to the library if it is shorter or longer, or the connection is not known", () => {
    const { writer, byLibrary } = connection();
    const odd = [tone(10), tone(48_000)];
    for (const piece of odd) writer.append(piece);
    expect(byLibrary).toEqual(odd.map(event));
    const unknown = connection({ isKnown: false });
    unknown.writer.append(tone(480));
    expect(unknown.byLibrary).toEqual([event(tone(480))]);
  });

  it("is dropped once the connection is closing", () => {
    const { writer, written, byLibrary } = connection({ readyState: 2 });
    writer.append(tone(480));
    expect([written().length, byLibrary]).toEqual([0, []]);
  });
});
