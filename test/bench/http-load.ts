/** A closed loop of keep-alive connections against one URL, and what it cost the server. Linux. */
import { readFileSync } from "node:fs";
import { Agent, request, type RequestOptions } from "node:http";

export interface LoadTarget {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly body?: string;
  /** The server's process. */
  readonly pid: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** User and system time of the server per request. */
  readonly cpuMicros: number;
}

const connections = 16;

export async function runLoad({ url, method, body, pid }: LoadTarget, seconds: number): Promise<LoadResult> {
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
  latencies.sort((one, other) => one - other);
  const at = (share: number): number => latencies[Math.floor(share * (latencies.length - 1))] ?? 0;
  return { perSecond: (latencies.length / elapsedMs) * 1000, p50Ms: at(0.5), p99Ms: at(0.99), cpuMicros };
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
