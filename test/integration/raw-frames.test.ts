/** Frames as no browser sends them, and peers that do not hang up. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket as Connection } from "node:net";
import type { Duplex } from "node:stream";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { WsSocket } from "@voice/streaming-host/server/accept/ws-socket";
import type { Socket } from "@voice/streaming-host/transports/socket";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { eventually } from "../support/wait.ts";

const closeFrame = 0x88;
const servers: WebSocketServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen() {
  const clock = new VirtualClock();
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", maxPayload: 1000 });
  servers.push(server);
  const heard: string[] = [];
  const closes: string[] = [];
  const streams: Duplex[] = [];
  const accepted = new Promise<Socket>((resolve) => {
    server.once("connection", (webSocket, { socket: stream }) => {
      streams.push(stream);
      const socket = new WsSocket(webSocket, stream, clock, silentLogger);
      socket.onMessage = (data) => void heard.push(Buffer.from(data).toString());
      socket.onClose = (reason) => void closes.push(reason);
      socket.start();
      resolve(socket);
    });
  });
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { port: address.port, clock, heard, closes, streams, accepted };
}

/** The connection of a peer that writes its frames itself, and never hangs up. */
async function dialRaw(port: number): Promise<{ connection: Connection; received: () => Buffer }> {
  const connection = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const key = randomBytes(16).toString("base64");
  const handshake = [
    "Connection: Upgrade",
    "Upgrade: websocket",
    `Sec-WebSocket-Key: ${key}`,
    "Sec-WebSocket-Version: 13",
  ];
  connection.write(["GET / HTTP/1.1", "Host: host", ...handshake, "", ""].join("\r\n"));
  const chunks: Buffer[] = [];
  connection.on("data", (chunk: Buffer) => chunks.push(chunk));
  connection.on("error", () => undefined);
  const headersEnd = (): number => Buffer.concat(chunks).indexOf("\r\n\r\n");
  await eventually(() => headersEnd() !== -1, "the handshake is answered");
  return { connection, received: () => Buffer.concat(chunks).subarray(headersEnd() + 4) };
}

describe("a peer's frames", () => {
  it("[FR-4] may be pieces of one message, which is heard when it is whole", async () => {
    const { port, heard, accepted } = await listen();
    const client = new WebSocket(`ws://127.0.0.1:${port}`);
    await Promise.all([once(client, "open"), accepted]);
    client.send("one ", { fin: false });
    client.ping();
    client.send("message", { fin: true });
    client.send("another");
    await eventually(() => heard.length === 2, "both messages are heard");
    expect(heard).toEqual(["one message", "another"]);
    client.terminate();
  });

  it("[FR-4] are not to be pongs without end, which close the socket with 1008", async () => {
    const { port, accepted, clock } = await listen();
    const client = new WebSocket(`ws://127.0.0.1:${port}`);
    await Promise.all([once(client, "open"), accepted]);
    const closed = once(client, "close");
    for (let sent = 0; sent <= 2400; sent += 1) client.pong();
    const [code] = await closed;
    expect(code).toBe(1008);
    clock.advance(2000);
  });

  it("[FR-4] are read no further once they were too many, and the peer hears why and that it is over", async () => {
    const { port, accepted, clock, streams } = await listen();
    const { connection, received } = await dialRaw(port);
    await accepted;
    const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
    connection.write(Buffer.concat(Array.from({ length: 2500 }, () => pong)));
    await eventually(() => received().length >= 4, "the peer is told");
    expect(received()[0]).toBe(closeFrame);
    expect(received().readUInt16BE(2)).toBe(1008);
    expect(streams.map((stream) => [stream.isPaused(), stream.writableEnded])).toEqual([[true, true]]);
    connection.destroy();
    clock.advance(2000);
  });

  it.each([
    ["without a mask", 1002, Buffer.from([0x81, 0x02, 0x68, 0x69])],
    ["of an unknown kind", 1002, Buffer.from([0x83, 0x80, 0, 0, 0, 0])],
    ["above the limit", 1009, Buffer.from([0x81, 0xfe, 0xff, 0xff, 0, 0, 0, 0])],
    ["that is no UTF-8", 1007, Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff])],
  ])("%s end its socket with %d, and its connection 2 s later if it does not hang up", async (_what, code, frame) => {
    const { port, clock, heard, closes, accepted } = await listen();
    const { connection, received } = await dialRaw(port);
    await accepted;
    connection.write(frame);
    await eventually(() => received().length >= 4, "the peer is told");
    expect(received()[0]).toBe(closeFrame);
    expect(received().readUInt16BE(2)).toBe(code);
    expect(closes).toEqual([]);
    clock.advance(2000);
    await eventually(() => closes.length === 1, "the connection is cut");
    connection.destroy();
    expect(heard).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });
});
