/**
 * Writes a message as one WebSocket frame in one buffer. The library passes header and payload to the socket
 * separately, which makes every frame a gathering write. Fifty times a second per session, a single write of one buffer
 * is cheaper.
 */

const finalText = 0x81;
const finalBinary = 0x82;
/** The longest payloads whose length fits into the header, and into two more bytes of it. */
const shortLength = 125;
const mediumLength = 0xffff;

/** Copies the payload, so the caller may reuse its buffer at once. */
export function wholeFrame(data: string | Uint8Array): Buffer {
  if (typeof data !== "string") {
    const frame = begin(finalBinary, data.length);
    frame.set(data, frame.length - data.length);
    return frame;
  }
  const length = Buffer.byteLength(data);
  const frame = begin(finalText, length);
  frame.write(data, frame.length - length);
  return frame;
}

function begin(firstByte: number, length: number): Buffer {
  const headerLength = length <= shortLength ? 2 : length <= mediumLength ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + length);
  frame[0] = firstByte;
  if (headerLength === 2) frame[1] = length;
  else if (headerLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  return frame;
}
