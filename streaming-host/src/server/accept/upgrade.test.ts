import { once } from "node:events";
import { createServer } from "node:http";
import { createConnection } from "node:net";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WsUpgrader } from "./upgrade.ts";

const upgrader = new WsUpgrader(new VirtualClock(), silentLogger);
const server = createServer().on("upgrade", (request, stream, head) =>
  upgrader.upgrade({ request, stream, head }, (socket) => socket.start()),
);
const path = "/api/v1/browser/conversation";
const key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";
const version = "Sec-WebSocket-Version: 13";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  upgrader.close();
  server.close();
});

/** What the peer of a handshake with these headers is sent until the connection is closed. */
async function knock(headers: readonly string[], ...frames: readonly Uint8Array[]): Promise<Buffer> {
  const address = server.address();
  const stream = createConnection(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  const lines = [`GET ${path}?ticket=secret HTTP/1.1`, "Host: localhost", "Connection: Upgrade", "Upgrade: websocket"];
  stream.write(`${[...lines, ...headers].join("\r\n")}\r\n\r\n`);
  for (const frame of frames) stream.write(frame);
  const received: Buffer[] = [];
  stream.on("data", (chunk) => void received.push(chunk));
  await once(stream, "close");
  return Buffer.concat(received);
}

describe("[HS-2c] a handshake that is none", () => {
  it.each([
    ["without a key", [version], "Sec-WebSocket-Key"],
    ["of another version", [key, "Sec-WebSocket-Version: 12"], "Sec-WebSocket-Version"],
    [
      "with a list of subprotocols that is none",
      [key, version, "Sec-WebSocket-Protocol: a,,b"],
      "Sec-WebSocket-Protocol",
    ],
  ])("%s is refused with a problem body that names the header", async (_, headers, named) => {
    const [head = "", body = ""] = (await knock(headers)).toString().split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 .*Sec-WebSocket-Version: 13/s);
    expect(JSON.parse(body)).toMatchObject({
      status_code: 400,
      type: "validation_error",
      instance: path,
      detail: expect.stringContaining(named),
    });
  });
});

describe("[FR-4] a peer that breaks the protocol", () => {
  /** With a mask of zeros, the payload stays as it is. */
  const frame = (firstByte: number, payload: Uint8Array) =>
    Buffer.concat([Buffer.from([firstByte, 0x80 | payload.length, 0, 0, 0, 0]), payload]);

  it.each([
    ["a frame with a reserved bit", frame(0xc1, Buffer.from("{}")), 1002, "the WebSocket protocol was broken"],
    ["text that is not UTF-8", frame(0x81, Buffer.from([0xff])), 1007, "text must be UTF-8"],
    ["a message of a megabyte", Buffer.from("82ff00000000001000000000000000", "hex"), 1009, "message too large"],
    ["its own reason for leaving", frame(0x88, Buffer.from([0x03, 0xe8])), 1000, ""],
  ])("reads why it is closed: %s", async (_, broken, code, reason) => {
    const received = await knock([key, version], broken, frame(0x88, Buffer.from([0x03, 0xe8])));
    const close = received.subarray(received.indexOf("\r\n\r\n") + 4);
    expect({ code: close.readUInt16BE(2), reason: close.subarray(4).toString() }).toEqual({ code, reason });
  });

  it.each([
    ["pongs", frame(0x8a, Buffer.alloc(0))],
    ["pieces of a message", frame(0x00, Buffer.alloc(0))],
  ])("is closed, and not read any more, when it sends nothing but %s", async (_, flood) => {
    const begun = frame(0x01, Buffer.alloc(0));
    const received = await knock([key, version], begun, Buffer.concat(Array<Buffer>(20_000).fill(flood)));
    const answers = received.subarray(received.indexOf("\r\n\r\n") + 4);
    const close = answers.subarray(answers.indexOf(0x88));
    expect({ code: close.readUInt16BE(2), reason: close.subarray(4).toString() }).toEqual({
      code: 1008,
      reason: "too many messages",
    });
  });
});
