import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageReader } from "./message-reader.ts";
import type { Sender } from "./message-reader.ts";

interface Frame {
  readonly first: number;
  readonly payload: Buffer;
  readonly mask: number;
}

const text = 0x81;
const binary = 0x82;
const firstFragment = 0x01;
const lastFragment = 0x80;
const ping = 0x89;

const frameOf = (first: number, payload: string | Buffer, mask = 0x12_34_56_78): Frame => ({
  first,
  payload: Buffer.from(payload),
  mask,
});

/** As a client or a server sends it (RFC 6455, section 5.2). */
function frameBytes(sender: Sender, { first, payload, mask }: Frame): Buffer {
  const { length } = payload;
  const extended = Buffer.alloc(length < 126 ? 0 : length <= 0xffff ? 2 : 8);
  if (extended.length === 2) extended.writeUInt16BE(length);
  if (extended.length === 8) extended.writeBigUInt64BE(BigInt(length));
  const short = length < 126 ? length : length <= 0xffff ? 126 : 127;
  if (sender === "server") return Buffer.concat([Buffer.from([first, short]), extended, payload]);
  const key = Buffer.alloc(4);
  key.writeUInt32LE(mask);
  const masked = payload.map((byte, at) => byte ^ (key[at % 4] ?? 0));
  return Buffer.concat([Buffer.from([first, 0x80 | short]), extended, key, masked]);
}

/** What the reader makes of the chunks: messages, and between them the bytes for the library. */
function readFrom(sender: Sender, chunks: readonly Buffer[]): (string | { readonly other: string })[] {
  const heard: (string | { other: string })[] = [];
  const reader = new MessageReader(sender, {
    onMessage: (data, isBinary) => heard.push(`${isBinary ? "binary" : "text"} ${data.toString("latin1")}`),
    onOther(bytes) {
      const last = heard.at(-1);
      if (typeof last === "object") last.other += bytes.toString("hex");
      else heard.push({ other: bytes.toString("hex") });
    },
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return heard;
}

describe.each(["client", "server"] as const)("the reader of a %s's messages", (sender) => {
  const onWire = (frame: Frame): Buffer => frameBytes(sender, frame);
  const readAll = (chunks: readonly Buffer[]) => readFrom(sender, chunks);
  const other = (...frames: readonly Frame[]) => ({ other: Buffer.concat(frames.map(onWire)).toString("hex") });

  it("reads several whole messages in one chunk", () => {
    const chunk = Buffer.concat(
      [frameOf(text, '{"a":1}'), frameOf(binary, "pcm"), frameOf(text, "x".repeat(900))].map(onWire),
    );
    expect(readAll([chunk])).toEqual(['text {"a":1}', "binary pcm", `text ${"x".repeat(900)}`]);
  });

  it("leaves fragments, and all that comes before their end, to the library", () => {
    const fragments = [frameOf(firstFragment, "one "), frameOf(ping, ""), frameOf(lastFragment, "two")];
    const chunk = Buffer.concat([...fragments, frameOf(text, "three")].map(onWire));
    expect(readAll([chunk])).toEqual([other(...fragments), "text three"]);
  });

  it("leaves a frame that has not arrived whole to the library, and reads the next", () => {
    const [first, second] = [frameOf(text, "cut in two"), frameOf(text, "whole")];
    const bytes = Buffer.concat([onWire(first), onWire(second)]);
    expect(readAll([bytes.subarray(0, 9), bytes.subarray(9)])).toEqual([other(first), "text whole"]);
  });

  it("leaves text that is not ASCII to the library as it came, since its encoding has to be checked", () => {
    const frame = frameOf(text, "Grüße");
    expect(readAll([onWire(frame)])).toEqual([other(frame)]);
  });

  it("leaves a frame without the mask that it should have, or with one, or with a bit that means nothing, to the library", () => {
    const wronglyMasked = frameBytes(sender === "client" ? "server" : "client", frameOf(text, "hi"));
    expect(readAll([wronglyMasked])).toEqual([{ other: wronglyMasked.toString("hex") }]);
    const reserved = frameOf(0xc1, "hi");
    expect(readAll([onWire(reserved)])).toEqual([other(reserved)]);
  });

  it("loses nothing and changes no order, wherever the stream is cut", () => {
    const payload = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.string({ unit: "grapheme", minLength: 120, maxLength: 200 }),
    );
    const message = fc
      .tuple(fc.constantFrom(text, binary, ping), payload, fc.integer({ min: 0, max: 0xff_ff_ff_ff }))
      .map(([first, content, mask]) => [frameOf(first, content.slice(0, first === ping ? 10 : undefined), mask)]);
    const fragmented = fc.array(payload, { minLength: 2, maxLength: 4 }).map((parts) =>
      parts.map((part, at) => {
        const opcode = at === 0 ? firstFragment : 0;
        return frameOf(at === parts.length - 1 ? opcode | 0x80 : opcode, part);
      }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(message, fragmented), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 40 }),
        (sent, cuts) => {
          const frames = sent.flat();
          const bytes = Buffer.concat(frames.map(onWire));
          const chunks: Buffer[] = [];
          for (let at = 0, cut = 0; at < bytes.length; cut++) {
            const end = at + (cuts[cut % cuts.length] ?? 1);
            chunks.push(bytes.subarray(at, end));
            at = end;
          }
          // Each message that was read stands for its whole frame; with the other bytes they are what was sent.
          let rest = frames.map(onWire);
          let owed = Buffer.alloc(0);
          for (const part of readAll(chunks)) {
            if (typeof part === "string") {
              expect(owed).toHaveLength(0);
              const [frame] = rest;
              const source = frames[frames.length - rest.length];
              expect(frame).toBeDefined();
              const kind = source?.first === binary ? "binary" : "text";
              expect(part).toBe(`${kind} ${source?.payload.toString("latin1")}`);
              rest = rest.slice(1);
              continue;
            }
            owed = Buffer.concat([owed, Buffer.from(part.other, "hex")]);
            while (rest[0] !== undefined && owed.length >= rest[0].length) {
              expect(owed.subarray(0, rest[0].length)).toEqual(rest[0]);
              owed = owed.subarray(rest[0].length);
              rest = rest.slice(1);
            }
          }
          expect(owed).toHaveLength(0);
          expect(rest).toHaveLength(0);
        },
      ),
    );
  });
});
