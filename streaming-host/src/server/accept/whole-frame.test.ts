import { expect, it } from "vitest";
import { wholeFrame } from "./whole-frame.ts";

/** As RFC 6455 has it in section 5.2, for frames that nobody has masked. */
function read(frame: Buffer): { readonly data: Buffer; readonly isBinary: boolean } {
  const first = frame.readUInt8(0);
  expect([0x81, 0x82]).toContain(first);
  const short = frame.readUInt8(1);
  expect(short).toBeLessThan(128);
  const extended = short === 126 ? { length: frame.readUInt16BE(2), bytes: 2 } : undefined;
  const long = short === 127 ? { length: Number(frame.readBigUInt64BE(2)), bytes: 8 } : undefined;
  const { length, bytes } = extended ?? long ?? { length: short, bytes: 0 };
  // Every length is written in the shortest way.
  expect(length).toBeGreaterThanOrEqual(bytes === 0 ? 0 : bytes === 2 ? 126 : 65_536);
  const data = frame.subarray(2 + bytes);
  expect(data).toHaveLength(length);
  return { data, isBinary: first === 0x82 };
}

it.each([0, 1, 125, 126, 65_535, 65_536, 200_000])("carries a text of %i bytes", (length) => {
  const { data, isBinary } = read(wholeFrame("x".repeat(length)));
  expect(isBinary).toBe(false);
  expect(data.toString()).toBe("x".repeat(length));
});

it("counts bytes, not letters", () => {
  const text = "Grüße, 世界 🎧".repeat(9);
  expect(read(wholeFrame(text)).data.toString()).toBe(text);
});

it("copies bytes, which may be part of something larger", () => {
  const large = Uint8Array.from({ length: 1000 }, (_, at) => at % 256);
  const frame = wholeFrame(large.subarray(100, 740));
  large.fill(0);
  const { data, isBinary } = read(frame);
  expect(isBinary).toBe(true);
  expect([...data]).toEqual(Array.from({ length: 640 }, (_, at) => (at + 100) % 256));
});
