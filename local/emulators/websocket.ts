/** The two things that every WebSocket emulator needs besides the library. */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { RawData } from "ws";

export function refuseUpgrade(stream: Duplex, status: number): void {
  const text = STATUS_CODES[status] ?? "Refused";
  stream.end(`HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

export function toBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
