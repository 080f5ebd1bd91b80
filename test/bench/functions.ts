/**
 * How much HTTP one functions process carries against a Redis on loopback, beside a bare node:http server in the same
 * run: `node test/bench/functions.ts [seconds per case] [entry file]`. Medians of three interleaved rounds.
 */
import path from "node:path";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { readToolArguments } from "../../local/command-line/tool-arguments.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { startFunctionsProcess, startServerProcess } from "../support/server-process.ts";
import { percentile } from "./percentiles.ts";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import type { RequestOptions } from "node:http";

interface LoadTarget {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly body?: string;
  /** The server's process. */
  readonly pid: number;
}

interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** User and system time of the server per request. */
  readonly cpuMicros: number;
}

const connections = 16;

/** A closed loop of keep-alive connections against one URL, and what it cost the server. Linux. */
async function runLoad({ url, method, body, pid }: LoadTarget, seconds: number): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers =
    body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const { hostname, port, pathname } = new URL(url);
  const options = { hostname, port, path: pathname, method, agent, headers };
  const latencies: number[] = [];
  const cpuBefore = cpuMicrosOf(pid);
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const connection = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      await exchange(options, body);
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const elapsedMs = performance.now() - startedAt;
  const cpuMicros = (cpuMicrosOf(pid) - cpuBefore) / latencies.length;
  agent.destroy();
  const [p50Ms, p99Ms] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return { perSecond: (latencies.length / elapsedMs) * 1000, p50Ms, p99Ms, cpuMicros };
}

function exchange(options: RequestOptions, body: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${options.path} answered ${response.statusCode}`));
      response.resume().on("end", resolve);
    });
    sent.on("error", reject).end(body);
  });
}

/** The kernel counts in ticks of 10 ms. */
function cpuMicrosOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

readToolArguments({
  name: "node test/bench/functions.ts",
  help: `How much HTTP one functions process carries, beside a bare server in the same run.

  node test/bench/functions.ts [seconds per case] [entry file]`,
  allowPositionals: true,
});

const seconds = Number(process.argv[2] ?? 3);
const entry = path.resolve(process.argv[3] ?? path.join(import.meta.dirname, "../../functions/src/main.ts"));
const rounds = 3;
const turnsInSession = 20;

const redis = await startRedisServer();
await putSession("bench");
const functions = await startFunctionsProcess(entry, {
  CACHE_HOST: "127.0.0.1",
  CACHE_PORT: String(redis.port),
  LOG_LEVEL: "error",
  // What is measured is a call that is accepted.
  MAX_CALLS_PER_HOUR: "1000000",
  MAX_SERVICE_CALLS_PER_HOUR: "1000000",
  MAX_CALLS_AT_ONCE: "100000",
  MAX_SERVICE_CALLS_AT_ONCE: "100000",
});
// What the library and the host take before any code of ours runs.
const library = await startFunctionsProcess(path.join(import.meta.dirname, "../fixtures/functions-app/main.mjs"));
const floor = await startServerProcess(path.join(import.meta.dirname, "floor-server.ts"), [], {});

const get = (target: string): LoadTarget => ({ url: `${functions.url}${target}`, method: "GET", pid: functions.pid });
const cases: Readonly<Record<string, LoadTarget>> = {
  "bare node:http": { url: `${floor.url}/`, method: "GET", pid: floor.pid },
  "empty function, library and host": { url: `${library.url}/media/status`, method: "GET", pid: library.pid },
  "GET /telephony/health (no state)": get("/api/v1/telephony/health"),
  "GET /health": get("/api/v1/health"),
  "GET /sessions/{id}, 40 items": get("/api/v1/sessions/bench"),
  "POST /calls/initiate": {
    ...get("/api/v1/calls/initiate"),
    method: "POST",
    body: JSON.stringify({ target_number: "+14255550123", context: { source: "bench" } }),
  },
};

try {
  const results = new Map<string, LoadResult[]>(Object.keys(cases).map((name) => [name, []]));
  for (const target of Object.values(cases)) await runLoad(target, Math.min(1, seconds));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, target] of Object.entries(cases)) results.get(name)?.push(await runLoad(target, seconds));
  }
  console.log("case                                  req/s   p50 ms   p99 ms   server CPU µs/req");
  for (const [name, measured] of results) {
    const median = (field: keyof LoadResult): number =>
      percentile(
        measured.map((result) => result[field]),
        0.5,
      );
    console.log(
      name.padEnd(34),
      median("perSecond").toFixed(0).padStart(8),
      median("p50Ms").toFixed(2).padStart(8),
      median("p99Ms").toFixed(2).padStart(8),
      median("cpuMicros").toFixed(0).padStart(19),
    );
  }
} finally {
  await Promise.all([functions.stop(), library.stop(), floor.stop()]);
  await redis.stop();
}

async function putSession(sessionId: string): Promise<void> {
  const state = await openRedisState(redis.endpoint, { clock: systemClock, logger: silentLogger });
  await state.sessions.create({
    sessionId,
    channel: "browser",
    streamingMode: "REALTIME",
    scenario: "default",
    activeAgent: "front-desk",
    visitedAgents: [],
    status: "active",
    memory: {},
    createdAtMs: Date.now(),
  });
  for (let turn = 0; turn < turnsInSession; turn += 1) {
    const item = { agent: "front-desk", turnId: `turn-${turn}`, timestampMs: Date.now(), interrupted: false };
    await state.sessions.appendTurn(sessionId, {
      appendId: `turn-${turn}`,
      items: [
        { ...item, role: "user", content: "What is the balance of my checking account?" },
        { ...item, role: "assistant", content: "The balance of your checking account is one thousand dollars." },
      ],
    });
  }
  await state.close();
}
