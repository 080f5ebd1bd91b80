/**
 * The properties that the maker of an ONNX model has written into its file. The runtime reads them as well, and ends the whole process where
 * it misses one, so they are read here before it sees the file.
 */
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";

/** The numbers of ModelProto's and StringStringEntryProto's fields in onnx.proto. */
const metadataField = 14;
const keyField = 1;
const valueField = 2;

const varintType = 0;
const fixed64Type = 1;
const lengthType = 2;
const fixed32Type = 5;

/** A field's number and a length, of ten bytes each at most. */
const headerBytes = 20;
/** No property is longer: Kokoro's longest are the names of its speakers. */
const mostPropertyBytes = 1_000_000;

/** Undefined if the file is no ONNX model. The weights are skipped, not read. */
export async function readOnnxMetadata(file: string): Promise<ReadonlyMap<string, string> | undefined> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const found = new Map<string, string>();
    for (let at = 0; at < size;) {
      const field = fieldAt(await bytesAt(handle, at, headerBytes));
      if (field === undefined || at + field.headerBytes + field.bodyBytes > size) return undefined;
      if (field.number === metadataField && field.bodyBytes <= mostPropertyBytes) {
        const body = await bytesAt(handle, at + field.headerBytes, field.bodyBytes);
        const [key, value] = [textIn(body, keyField), textIn(body, valueField)];
        if (key !== undefined) found.set(key, value ?? "");
      }
      at += field.headerBytes + field.bodyBytes;
    }
    return found;
  } finally {
    await handle.close();
  }
}

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

interface Field {
  readonly number: number;
  readonly headerBytes: number;
  readonly bodyBytes: number;
}

function fieldAt(bytes: Uint8Array): Field | undefined {
  const tag = varintAt(bytes, 0);
  if (tag === undefined || tag.value < 8) return undefined;
  const number = Math.floor(tag.value / 8);
  switch (tag.value % 8) {
    case varintType: {
      const value = varintAt(bytes, tag.bytes);
      return value && { number, headerBytes: tag.bytes, bodyBytes: value.bytes };
    }
    case fixed64Type:
      return { number, headerBytes: tag.bytes, bodyBytes: 8 };
    case lengthType: {
      const length = varintAt(bytes, tag.bytes);
      return length && { number, headerBytes: tag.bytes + length.bytes, bodyBytes: length.value };
    }
    case fixed32Type:
      return { number, headerBytes: tag.bytes, bodyBytes: 4 };
    default:
      return undefined;
  }
}

function varintAt(bytes: Uint8Array, start: number): { readonly value: number; readonly bytes: number } | undefined {
  let value = 0;
  for (let at = start; at < Math.min(bytes.length, start + 10); at++) {
    const byte = bytes[at] ?? 0;
    value += (byte % 128) * 2 ** (7 * (at - start));
    if (byte < 128) return { value, bytes: at - start + 1 };
  }
  return undefined;
}

function textIn(message: Uint8Array, wanted: number): string | undefined {
  for (let at = 0; at < message.length;) {
    const field = fieldAt(message.subarray(at));
    if (field === undefined) return undefined;
    const start = at + field.headerBytes;
    if (field.number === wanted) return Buffer.from(message.subarray(start, start + field.bodyBytes)).toString("utf8");
    at = start + field.bodyBytes;
  }
  return undefined;
}
