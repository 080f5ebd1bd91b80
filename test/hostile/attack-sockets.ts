/** Messages that no client would send, on sockets that were opened as they should be. */
import { once } from "node:events";
import fc from "fast-check";
import { WebSocket } from "ws";
import { sleep } from "../support/wait.ts";
import { clientMessages, hookMessages, mediaFrames, typedTexts } from "./corpus.ts";
import type { Figures } from "./figures.ts";
import type { Target } from "./target.ts";

const conversation = "/api/v1/browser/conversation";
const unforeseenClose = 1011;

export async function attackSockets(target: Target, figures: Figures, inputs: number): Promise<void> {
  const random = fc.sample(
    fc.oneof(
      fc.json(),
      fc.string({ maxLength: 200 }),
      fc
        .record({ type: fc.constantFrom("text", "config", "control", "dtmf", "audio_data"), payload: fc.object() })
        .map((message) => JSON.stringify(message)),
    ),
    { numRuns: inputs, seed: 3 },
  );
  const frames = fc.sample(fc.uint8Array({ maxLength: 2000 }), { numRuns: inputs / 4, seed: 4 });
  await converse(target, figures, [...clientMessages, ...mediaFrames, ...random, ...frames]);
  await converse(target, figures, [...hookMessages, ...random, ...frames], "/api/v1/telephony/stream");
  await converse(
    target,
    figures,
    [...mediaFrames, ...random, ...frames],
    "/api/v1/media/stream?call_connection_id=x-1",
  );
  const texts = typedTexts.map((text) => JSON.stringify({ type: "text", text: text.slice(0, 3999) }));
  await converse(target, figures, texts);
}

/** As fast as a peer may type, for as long as it takes. */
export async function floodWithTexts(target: Target, figures: Figures, seconds: number): Promise<void> {
  const socket = await open(target, figures);
  for (let at = 0; at < seconds * 50; at += 1) {
    const text = typedTexts[at % typedTexts.length] ?? "";
    figures.inputs += 1;
    socket.send(JSON.stringify({ type: "text", text: `${at} ${text}`.slice(0, 3999) }));
    await sleep(20);
  }
  socket.close();
}

/** One message at a time, on a new socket whenever the one before was closed for what it carried. */
async function converse(
  target: Target,
  figures: Figures,
  messages: readonly (string | Uint8Array)[],
  path = conversation,
): Promise<void> {
  let socket = await open(target, figures, path);
  for (const message of messages) {
    if (socket.readyState !== WebSocket.OPEN) socket = await open(target, figures, path);
    figures.inputs += 1;
    socket.send(message);
    await answered(socket);
  }
  socket.close();
}

async function open(target: Target, figures: Figures, path = conversation): Promise<WebSocket> {
  const socket = new WebSocket(`${target.socketUrl}${path}`);
  socket.on("error", () => undefined);
  socket.on("close", (code) => {
    if (code === unforeseenClose) figures.unforeseen.push("a socket ended with 1011");
  });
  await once(socket, "open");
  return socket;
}

/** A pong shows that everything sent before it was read. */
async function answered(socket: WebSocket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once("pong", resolve);
  socket.once("close", resolve);
  if (socket.readyState === WebSocket.OPEN) {
    socket.ping();
    await promise;
  }
  socket.off("pong", resolve);
  socket.off("close", resolve);
}
