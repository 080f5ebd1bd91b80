/**
 * Two other callers, in a process of their own, so that nothing but the service can make them wait. Each sends a frame of
 * audio every 20 ms and hears an agent that talks for two minutes on end; one talks while the other is asked to go on.
 * Beside them it hears a server that does nothing else, because what that one is late by is the machine's doing.
 */
import { WebSocket } from "ws";
import { z } from "zod";
import { createFrameLateness, type FrameLateness } from "./frame-lateness.ts";
import { sharedNowMs } from "./loop-watch.ts";

const frameMs = 20;
const bytesPerMs = 32; // PCM16 at 16 kHz
const silence = Buffer.alloc(frameMs * bytesPerMs);
const question = "please go on with the story";
const story = "The river goes on past the mill and under the old bridge to the sea. ".repeat(26).trim();

const [url = "", idleServerUrl = ""] = process.argv.slice(2);
const socketUrl = `${url.replace(/^http/, "ws")}/api/v1/browser/conversation`;
const message = z.object({ type: z.string(), payload: z.object({ name: z.string().optional() }).optional() });

const idleServer = await hear(idleServerUrl);
const callers = await Promise.all(["one", "two"].map((name) => begin(`observer-${name}`)));

async function hear(address: string): Promise<FrameLateness> {
  const lateness = createFrameLateness();
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const heard = Promise.withResolvers<void>();
  socket.on("message", (data: Buffer) => {
    lateness.arrived(sharedNowMs(), data.length / bytesPerMs);
    heard.resolve();
  });
  endWith(socket);
  await heard.promise;
  return lateness;
}

async function begin(sessionId: string): Promise<FrameLateness> {
  const rules = { intents: { story: { examples: [question], say: story } } };
  const agent = { name: "Storyteller", prompt: "You tell stories.", greeting: "Hello.", rules };
  const answer = await fetch(`${url}/api/v1/agents?session_id=${sessionId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(agent),
  });
  if (!answer.ok) throw new Error(`the observer's agent was refused: ${await answer.text()}`);
  const lateness = createFrameLateness();
  const socket = new WebSocket(`${socketUrl}?session_id=${sessionId}`, { perMessageDeflate: false });
  const heard = Promise.withResolvers<void>();
  socket.on("message", (data: Buffer, isBinary) => {
    if (isBinary) {
      heard.resolve();
      lateness.arrived(sharedNowMs(), data.length / bytesPerMs);
    } else if (message.parse(JSON.parse(data.toString())).payload?.name === "playout_finished") {
      lateness.ended();
      socket.send(JSON.stringify({ type: "text", text: question }));
    }
  });
  endWith(socket);
  socket.on("open", () => {
    socket.send(JSON.stringify({ type: "config", audio_output: "binary" }));
    setInterval(() => socket.send(silence), frameMs);
  });
  await heard.promise;
  return lateness;
}

function endWith(socket: WebSocket): void {
  socket.on("close", () => process.exit(1));
  socket.on("error", () => process.exit(1));
}

process.send?.({ type: "open" });

/** Answers each question with the frames that were late since the previous one. */
process.on("message", () => {
  process.send?.({ type: "late", frames: callers.flatMap((caller) => caller.take()), idle: idleServer.take() });
});
