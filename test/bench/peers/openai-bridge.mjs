/** `@openai/agents-realtime` between callers and the realtime service: its session, its transport, its history. */
import { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession } from "@openai/agents-realtime";
import { reportFigures } from "../load/figures.ts";
import { serveMedia } from "./media-server.mjs";

reportFigures();
const url = `${process.argv[2].replace(/^http/, "ws")}/v1/realtime`;

await serveMedia(async (caller) => {
  const transport = new OpenAIRealtimeWebSocket({ url, useInsecureApiKey: true });
  const agent = new RealtimeAgent({ name: "agent", instructions: "Be brief." });
  const session = new RealtimeSession(agent, { transport, tracingDisabled: true });
  session.on("audio", ({ data }) => caller.sendAudio(data));
  session.on("audio_interrupted", () => caller.stopAudio());
  session.on("error", () => undefined);
  await session.connect({ apiKey: "instant" });
  return {
    hear: (bytes) => session.sendAudio(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)),
    close: () => session.close(),
  };
});
