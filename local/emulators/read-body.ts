/** Reads a request's whole body, unless it is larger than any that the service accepts. */
import type { IncomingMessage } from "node:http";

export async function readBody(request: IncomingMessage, largestBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) throw new TypeError("request bodies are bytes");
    bytes += part.length;
    if (bytes > largestBytes) throw new RangeError("the request body is too large");
    parts.push(part);
  }
  return Buffer.concat(parts);
}
