/**
 * What 20 ms frames cost: 50 sessions of the cascade at 16 kHz with the voice activity detector on, audio in all the time
 * and paced audio out all the time, on fakes that answer at once. As a ratio to a `ws` server that parses and stringifies
 * the same frames, loaded in turn. Run with `npm run bench`; bounded to about a minute.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { percentile } from "./percentiles.ts";
import { startServer } from "./server-process.ts";
import { callerFrame } from "./wire-frames.ts";

const sessionCount = 50;
const windowMs = 6000;
const rounds = 3;
const frame = callerFrame();
/** 45 s of speech at 50 ms a character. */
const longQuestion = JSON.stringify({ type: "text", text: "tell me more about this ".repeat(37) });

async function connect(port: number, path: (index: number) => string): Promise<WebSocket[]> {
  return Promise.all(
    Array.from({ length: sessionCount }, async (_, index) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path(index)}`, { perMessageDeflate: false });
      await new Promise((resolve, reject) => {
        socket.once("open", resolve);
        socket.once("error", reject);
      });
      return socket;
    }),
  );
}

/** 50 frames a second to every socket for the length of the window; counts what comes back. */
async function load(sockets: readonly WebSocket[]): Promise<number> {
  let received = 0;
  const count = (): void => void received++;
  for (const socket of sockets) socket.on("message", count);
  const startedMs = performance.now();
  for (let tick = 0; tick * 20 < windowMs; tick++) {
    for (const socket of sockets) socket.send(frame);
    await sleep(Math.max(0, startedMs + (tick + 1) * 20 - performance.now()));
  }
  for (const socket of sockets) socket.off("message", count);
  return received;
}

const echo = await startServer("echo");
const cascade = await startServer("frames");
try {
  const before = await cascade.read();
  const resumed = await connect(
    cascade.port,
    (index) => `/api/v1/media/stream?call_connection_id=bench&session_id=bench-resumed-${index}`,
  );
  await sleep(1500);
  const during = await cascade.read();
  const heapKb = (during.heapBytes - before.heapBytes) / 1024 / sessionCount;
  for (const socket of resumed) socket.send(longQuestion);
  await sleep(500);
  const echoes = await connect(echo.port, () => "/");
  const costs = { echo: [] as number[], cascade: [] as number[] };
  const frames = { echo: 0, cascade: 0 };
  for (let round = 0; round < rounds; round++) {
    for (const [kind, server, sockets] of [
      ["echo", echo, echoes],
      ["cascade", cascade, resumed],
    ] as const) {
      if (kind === "cascade") for (const socket of sockets) socket.send(longQuestion);
      const from = await server.read();
      frames[kind] += await load(sockets);
      const to = await server.read();
      costs[kind].push((to.cpuMs - from.cpuMs) / sessionCount / (windowMs / 1000));
    }
  }
  const perSession = { echo: percentile(costs.echo, 0.5), cascade: percentile(costs.cascade, 0.5) };
  const perSecond = (count: number): string => (count / sessionCount / rounds / (windowMs / 1000)).toFixed(1);
  console.log(`frames, ${sessionCount} sessions, ${rounds} interleaved windows of ${windowMs / 1000} s, medians`);
  console.log(
    `  ws JSON echo       ${perSession.echo.toFixed(2)} CPU-ms per session-second, ${perSecond(frames.echo)} messages out`,
  );
  console.log(
    `  cascade with VAD   ${perSession.cascade.toFixed(2)} CPU-ms per session-second, ${perSecond(frames.cascade)} messages out`,
  );
  console.log(`  ratio              ${(perSession.cascade / perSession.echo).toFixed(2)}`);
  console.log(`  heap per live session with a 20-turn history: ${heapKb.toFixed(0)} KB`);
  for (const socket of [...resumed, ...echoes]) socket.terminate();
} finally {
  echo.stop();
  cascade.stop();
}
