import { createServer } from "node:http";
import { silentLogger } from "@voice/shared/platform/logger";
import { systemClock } from "@voice/shared/platform/clock";
import { WsSocket } from "@voice/streaming-host/server/accept/ws-socket";
import type { Socket } from "@voice/streaming-host/transports/socket";
import { afterEach, describe, expect, it, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { eventually } from "../support/wait.ts";

const teardowns: (() => void)[] = [];
afterEach(() => {
  for (const teardown of teardowns.splice(0)) teardown();
});

async function connect() {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  const accepted = new Promise<{ socket: Socket; writes: () => number }>((resolve) => {
    sockets.once("connection", (webSocket, { socket: stream }) => {
      const [one, several] = [vi.spyOn(stream, "_write"), vi.spyOn(stream, "_writev")];
      resolve({
        socket: new WsSocket(webSocket, stream, systemClock, silentLogger),
        writes: () => one.mock.calls.length + several.mock.calls.length,
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const client = new WebSocket(`ws://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  const received: string[] = [];
  client.on("message", (data: Buffer) => received.push(data.toString()));
  teardowns.push(() => {
    client.terminate();
    server.close();
  });
  return { ...(await accepted), received, client };
}

describe("a socket's writes", () => {
  it("take along what may wait, in the order in which it was sent", async () => {
    const { socket, writes, received } = await connect();
    socket.sendSoon("what was heard");
    socket.sendSoon("what is done");
    expect(writes()).toBe(0);
    socket.send("audio");
    expect(writes()).toBe(1);
    socket.sendSoon("what was said");
    socket.send("more audio");
    expect(writes()).toBe(2);
    await eventually(() => received.length === 5, "everything has arrived");
    expect(received).toEqual(["what was heard", "what is done", "audio", "what was said", "more audio"]);
  });

  it("come by themselves at the end of the event loop's turn", async () => {
    const { socket, writes, received } = await connect();
    socket.sendSoon("one");
    socket.sendSoon("two");
    expect(socket.unsentBytes).toBeGreaterThan(6);
    await eventually(() => received.length === 2, "both have arrived");
    expect(received).toEqual(["one", "two"]);
    expect(writes()).toBe(1);
  });

  it("[PLAY-2] let audio pass what accompanies it, which follows in its order and in one write", async () => {
    const { socket, writes, received } = await connect();
    socket.sendAfterAudio(() => "what was heard");
    socket.sendAfterAudio(() => "what is said");
    socket.send("audio");
    expect(writes()).toBe(1);
    await eventually(() => received.length === 3, "all has arrived");
    expect(received).toEqual(["audio", "what was heard", "what is said"]);
    expect(writes()).toBe(2);
  });

  it("[PLAY-2] keep the place of what must come before the audio, behind all that was said before", async () => {
    const { socket, received } = await connect();
    socket.sendAfterAudio(() => "what was heard");
    socket.sendSoon("interrupted");
    socket.send("audio");
    await eventually(() => received.length === 3, "all has arrived");
    expect(received).toEqual(["what was heard", "interrupted", "audio"]);
  });

  it("end the session of a peer whose message cannot be encoded, and no other", async () => {
    const [broken, sound] = [await connect(), await connect()];
    broken.socket.sendAfterAudio(() => {
      throw new TypeError("a BigInt cannot be written as JSON");
    });
    sound.socket.sendAfterAudio(() => "what was heard");
    await eventually(() => broken.client.readyState === WebSocket.CLOSED, "the peer has seen the close");
    await eventually(() => sound.received.length === 1, "the other's message has arrived");
  });

  it("are done before the socket closes", async () => {
    const { socket, received, client } = await connect();
    socket.sendSoon("last words");
    socket.sendAfterAudio(() => "and what they were");
    socket.close(1000, "conversation ended");
    await eventually(() => client.readyState === WebSocket.CLOSED, "the peer has seen the close");
    expect(received).toEqual(["last words", "and what they were"]);
  });
});
