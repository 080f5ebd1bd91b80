/**
 * The Speech service's message format on its WebSocket. Text: header lines, an empty line, the body. Binary: a 16-bit
 * big-endian length, that many bytes of header lines, the payload (`microsoft-cognitiveservices-speech-sdk` 1.52,
 * WebsocketMessageFormatter).
 */
import { randomBytes } from "node:crypto";

export type SpeechMessage = {
  readonly path: string;
  readonly requestId: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: { readonly kind: "text"; readonly text: string } | { readonly kind: "binary"; readonly bytes: Buffer };
};

/** Undefined if the frame is not in this format. */
export function parseSpeechMessage(data: Buffer, isBinary: boolean): SpeechMessage | undefined {
  if (!isBinary) {
    const text = data.toString("utf8");
    const end = text.indexOf("\r\n\r\n");
    if (end === -1) return undefined;
    return toMessage(text.slice(0, end), { kind: "text", text: text.slice(end + 4) });
  }
  if (data.length < 2) return undefined;
  const headerBytes = data.readUInt16BE(0);
  if (data.length < 2 + headerBytes) return undefined;
  const head = data.toString("utf8", 2, 2 + headerBytes);
  return toMessage(head, { kind: "binary", bytes: data.subarray(2 + headerBytes) });
}

export function formatTextMessage(path: string, requestId: string, body: unknown): string {
  const head = headerLines({ Path: path, "X-RequestId": requestId, "Content-Type": "application/json; charset=utf-8" });
  return `${head}\r\n${JSON.stringify(body)}`;
}

export function formatAudioMessage(requestId: string, streamId: string, payload: Uint8Array): Buffer {
  const head = headerLines({
    Path: "audio",
    "X-RequestId": requestId,
    "X-StreamId": streamId,
    "Content-Type": "audio/x-wav",
  });
  const headerBytes = Buffer.byteLength(head);
  const message = Buffer.allocUnsafe(2 + headerBytes + payload.length);
  message.writeUInt16BE(headerBytes, 0);
  message.write(head, 2);
  message.set(payload, 2 + headerBytes);
  return message;
}

/** 32 upper-case hexadecimal digits. */
export function createProtocolId(): string {
  return randomBytes(16).toString("hex").toUpperCase();
}

/** Times on the wire are in units of 100 ns. */
export function toTicks(ms: number): number {
  return Math.round(ms * 10_000);
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

function toMessage(head: string, body: SpeechMessage["body"]): SpeechMessage {
  const headers = new Map<string, string>();
  for (const line of head.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { path: headers.get("path") ?? "", requestId: headers.get("x-requestid") ?? "", headers, body };
}
