/** A request's whole body, unless it is larger than any that the service takes. */
import type { IncomingMessage } from "node:http";

const largestBodyBytes = 25 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) throw new TypeError("request bodies are bytes");
    bytes += part.length;
    if (bytes > largestBodyBytes) throw new RangeError("the request body is too large");
    parts.push(part);
  }
  return Buffer.concat(parts);
}
