/**
 * One caller's WebSocket, as cheap as it can be made: it shares the machine with what is measured. Frames are made and masked
 * once, and of what arrives only the first bytes are looked at.
 */
import { randomBytes } from "node:crypto";
import { connect } from "node:net";

/** How many bytes of each message are kept: enough for a message's type, and for the kind of a media frame. */
const lookedAtBytes = 64;

const closeOpcode = 8;

export interface RawLine {
  /** Why it is closed, in words; undefined while it is open. */
  readonly endedBecause: string | undefined;
  /** A frame that `maskedFrame` made. */
  send(frame: Buffer): void;
  close(): void;
}

/** Masked as a client's frames have to be, which a server spends time on. One that is sent again and again keeps its key. */
export function maskedFrame(data: string | Uint8Array): Buffer {
  const key = randomBytes(4);
  const payload = Buffer.from(data).map((byte, at) => byte ^ (key[at % 4] ?? 0));
  const first = typeof data === "string" ? 0x81 : 0x82;
  const header = payload.length < 126 ? Buffer.from([first, 0x80 | payload.length]) : Buffer.from([first, 0xfe, 0, 0]);
  if (payload.length >= 126) header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, key, payload]);
}

/** `onMessage` is given the beginning of every message. `headers`: of the request, beside those of the protocol. */
export function openRawLine(
  url: string,
  onMessage: (start: string) => void,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawLine> {
  const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("connect", () => {
      const key = randomBytes(16).toString("base64");
      socket.write(
        `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n${own.join("")}\r\n`,
      );
    });
    let isAccepted = false;
    let endedBecause: string | undefined;
    const reader = new FrameReader(onMessage, (why) => {
      endedBecause = why;
    });
    socket.on("data", (chunk) => {
      if (isAccepted) {
        reader.push(chunk);
        return;
      }
      const end = chunk.indexOf("\r\n\r\n");
      const head = chunk.toString("latin1", 0, Math.max(0, end));
      if (!head.startsWith("HTTP/1.1 101")) {
        reject(new Error(`the server answered ${chunk.toString("latin1").split("\r\n", 1)[0]}`));
        socket.destroy();
        return;
      }
      isAccepted = true;
      reader.push(chunk.subarray(end + 4));
      socket.removeAllListeners("error").on("error", ({ message }) => {
        endedBecause ??= message;
        socket.destroy();
      });
      resolve({
        get endedBecause() {
          return socket.writable ? undefined : (endedBecause ?? "it was closed without a word");
        },
        send: (frame) => void socket.write(frame),
        close: () => socket.destroy(),
      });
    });
  });
}

/** Cuts a stream of unmasked frames; messages come in one frame each, as all servers here send them. */
class FrameReader {
  readonly #onMessage: (start: string) => void;
  /** Called with the code and the reason of the server's close frame. */
  readonly #onClose: (why: string) => void;
  #rest: Buffer | undefined;
  /** The rest of a message whose beginning was seen. */
  #skipBytes = 0;

  constructor(onMessage: (start: string) => void, onClose: (why: string) => void) {
    this.#onMessage = onMessage;
    this.#onClose = onClose;
  }

  push(chunk: Buffer): void {
    let at = Math.min(this.#skipBytes, chunk.length);
    this.#skipBytes -= at;
    if (at === chunk.length) return;
    let data = chunk;
    if (this.#rest !== undefined) {
      data = Buffer.concat([this.#rest, chunk]);
      this.#rest = undefined;
      at = 0;
    }
    while (at < data.length) {
      const header = headerBytes(data[at + 1] ?? 0);
      const length = data.length - at < header ? undefined : payloadLength(data, at);
      if (length === undefined || data.length - at < header + Math.min(length, lookedAtBytes)) {
        this.#rest = data.subarray(at);
        return;
      }
      const from = at + header;
      const opcode = (data[at] ?? 0) & 0x0f;
      if (opcode < 8) this.#onMessage(data.toString("latin1", from, from + Math.min(length, lookedAtBytes)));
      else if (opcode === closeOpcode && length >= 2)
        this.#onClose(
          `${data.readUInt16BE(from)} ${data.toString("utf8", from + 2, from + Math.min(length, lookedAtBytes))}`,
        );
      at = from + length;
    }
    this.#skipBytes = at - data.length;
  }
}

function headerBytes(second: number): number {
  if (second < 126) return 2;
  return second === 126 ? 4 : 10;
}

function payloadLength(data: Buffer, at: number): number {
  const short = data[at + 1] ?? 0;
  if (short < 126) return short;
  return short === 126 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2));
}
