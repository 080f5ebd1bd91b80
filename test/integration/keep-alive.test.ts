import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { WsSocket, keepAliveMs } from "@voice/streaming-host/server/accept/ws-socket";
import type { Socket } from "@voice/streaming-host/transports/socket";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { eventually } from "../support/wait.ts";

const servers: WebSocketServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function pair(autoPong: boolean) {
  const clock = new VirtualClock();
  let pongs = 0;
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  servers.push(server);
  const accepted = new Promise<Socket>((resolve) => {
    server.once("connection", (webSocket, { socket }) => {
      resolve(new WsSocket(webSocket, socket, clock, silentLogger));
      webSocket.on("pong", () => pongs++);
    });
  });
  await new Promise((resolve) => {
    server.once("listening", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const client = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong });
  let pings = 0;
  client.on("ping", () => pings++);
  const socket = await accepted;
  if (client.readyState !== client.OPEN)
    await new Promise((resolve) => {
      client.once("open", resolve);
    });
  const closes: string[] = [];
  socket.onClose = (reason) => closes.push(reason);
  return { clock, client, socket, closes, pings: () => pings, pongs: () => pongs };
}

describe("the keep-alive of a socket", () => {
  it("[HS-8] keeps a silent peer that answers pings", async () => {
    const { clock, socket, closes, pongs, client } = await pair(true);
    socket.start();
    for (let round = 1; round <= 3; round++) {
      clock.advance(keepAliveMs);
      await eventually(() => pongs() === round, "the peer has answered");
    }
    expect(closes).toEqual([]);
    client.terminate();
  });

  it("[HS-8] cuts a peer that is dead", async () => {
    const { clock, socket, closes, pings } = await pair(false);
    socket.start();
    clock.advance(keepAliveMs);
    await eventually(() => pings() === 1, "the peer is asked");
    clock.advance(keepAliveMs);
    await eventually(() => closes.length === 1, "the peer is cut off");
    expect(clock.pendingTimers).toBe(0);
  });

  it("[HS-7] does not take a peer for dead that nobody has listened to yet", async () => {
    const { clock, closes, pings, client } = await pair(true);
    clock.advance(keepAliveMs);
    clock.advance(keepAliveMs);
    await eventually(() => pings() === 2, "the peer is asked");
    expect(closes).toEqual([]);
    client.terminate();
  });

  it("[HS-8] keeps a peer that answers no pings and goes on talking", async () => {
    const { clock, socket, closes, pings, client } = await pair(false);
    let heard = 0;
    socket.onMessage = () => void heard++;
    socket.start();
    for (let round = 1; round <= 3; round++) {
      client.send("audio");
      await eventually(() => heard === round, "the peer is heard");
      clock.advance(keepAliveMs);
      await eventually(() => pings() === round, "the peer is asked");
    }
    expect(closes).toEqual([]);
    client.terminate();
  });

  it("[TURN-15c] tells that a peer has answered after everything that it had sent before", async () => {
    const { socket, client } = await pair(true);
    const order: string[] = [];
    socket.onMessage = (data) => void order.push(Buffer.from(data).toString());
    socket.start();
    socket.probe(() => order.push("a question that another has replaced"));
    client.send("what the network held back");
    socket.probe(() => order.push("answered"));
    await eventually(() => order.includes("answered"), "the peer has answered");
    expect(order).toEqual(["what the network held back", "answered"]);
    client.terminate();
  });

  it("[HS-7] reads the answer to a close although nobody has listened yet", async () => {
    const { socket, closes } = await pair(true);
    socket.close(1000, "over before it began");
    await eventually(() => closes.length === 1, "the peer's answer is read");
    expect(closes).toEqual(["closed with 1000"]);
  });

  it("ends only the session whose message could not be handled", async () => {
    const { socket, closes, client } = await pair(true);
    socket.onMessage = () => {
      throw new Error("a defect");
    };
    socket.start();
    const code = new Promise((resolve) => {
      client.once("close", resolve);
    });
    client.send("anything");
    expect(await code).toBe(1011);
    await eventually(() => closes.length === 1, "our end is closed as well");
  });
});
