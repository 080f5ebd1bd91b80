/** Protocol buffers as they stand on the wire: numbered fields, without a schema. As much of it as OTLP needs. */

/** Every value of every field: bytes of what has a length (a message, a text), and numbers. */
export type Message = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

export function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;

  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  function take(length: number): Buffer {
    at += length;
    return bytes.subarray(at - length, at);
  }

  function value(wireType: number): Buffer | bigint {
    if (wireType === 0) return varint();
    if (wireType === 1) return take(8).readBigUInt64LE();
    if (wireType === 2) return take(Number(varint()));
    if (wireType === 5) return BigInt(take(4).readUInt32LE());
    throw new Error(`no wire type of protocol buffers: ${wireType}`);
  }

  while (at < bytes.length) {
    const key = Number(varint());
    const values = fields.get(key >> 3) ?? [];
    values.push(value(key & 7));
    fields.set(key >> 3, values);
  }
  return fields;
}

export function messagesAt(message: Message, field: number): Message[] {
  return (message.get(field) ?? []).flatMap((value) => (typeof value === "bigint" ? [] : [readMessage(value)]));
}

export function bytesAt(message: Message, field: number): Buffer {
  const [value] = message.get(field) ?? [];
  return value === undefined || typeof value === "bigint" ? Buffer.alloc(0) : value;
}

export function numberAt(message: Message, field: number): bigint {
  const [value] = message.get(field) ?? [];
  return typeof value === "bigint" ? value : 0n;
}
