/** One of the servers that frames.ts and turns.ts load; see server-process.ts. */
import { createServer } from "node:http";
import { systemClock } from "@voice/shared/platform/clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { WebSocketServer } from "ws";
import { startTestHost } from "../support/test-host.ts";
import { MarkedRecogniser, ToneSynthesiser } from "./instant-providers.ts";

const settings = { AGENT_SCENARIO: "banking" };

async function startEcho(): Promise<number> {
  const server = createServer();
  new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket) => {
    socket.on("message", (data: Buffer) => {
      const frame: unknown = JSON.parse(data.toString());
      socket.send(JSON.stringify(frame));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Sessions `bench-resumed-0` and so on can be resumed, with a history of 20 turns. */
async function startForFrames(): Promise<number> {
  const state = createMemoryState({ clock: systemClock });
  for (let index = 0; index < 50; index++) {
    const sessionId = `bench-resumed-${index}`;
    const session = { sessionId, channel: "media", streamingMode: "MEDIA", scenario: "banking" } as const;
    await state.sessions.create({
      ...session,
      activeAgent: "banking-concierge",
      visitedAgents: [],
      status: "ended",
      memory: {},
      createdAtMs: Date.now(),
    });
    const items = Array.from({ length: 40 }, (_, at) => ({
      role: at % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: `What was said in turn ${at} of session ${index}, which is a sentence of the usual length.`,
      agent: "banking-concierge",
      turnId: `turn-${Math.floor(at / 2)}`,
      timestampMs: Date.now(),
      interrupted: false,
    }));
    await state.sessions.appendTurn(sessionId, { items, appendId: "history" });
  }
  const { history } = state.sessions;
  // As from a store in another process: nothing is shared with it.
  state.sessions.history = async (id) => structuredClone(await history.call(state.sessions, id));
  const createVoiceActivityDetector = await loadVoiceActivity();
  const host = await startTestHost({
    state,
    clock: systemClock,
    msPerCharacter: 50,
    settings,
    providers: { createVoiceActivityDetector },
    keepsFrames: false,
  });
  return host.port;
}

async function startForTurns(): Promise<number> {
  const host = await startTestHost({
    settings,
    clock: systemClock,
    providers: {
      recogniser: new MarkedRecogniser(),
      synthesiser: new ToneSynthesiser(),
      createVoiceActivityDetector: await loadVoiceActivity(),
    },
  });
  return host.port;
}

const servers: Readonly<Record<string, () => Promise<number>>> = {
  echo: startEcho,
  frames: startForFrames,
  turns: startForTurns,
};

process.send?.({ port: await servers[process.argv[2] ?? ""]?.() });
process.on("message", () => {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000, heapBytes: process.memoryUsage().heapUsed });
});
process.once("disconnect", () => process.exit(0));
