/** The service under attack: the whole of it, in a process of its own, on loopback. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { startServerProcess } from "../support/server-process.ts";

export interface Target {
  readonly url: string;
  readonly socketUrl: string;
  readonly pid: number;
  /** Resident memory; 0 where the system does not say. */
  memoryBytes(): number;
  stop(): Promise<void>;
}

const script = path.join(import.meta.dirname, "..", "..", "local", "start.ts");

export async function startTarget(settings: Readonly<Record<string, string>>): Promise<Target> {
  const service = await startServerProcess(script, [], {
    PORT: "0",
    CONSOLE_ENABLED: "false",
    LOG_LEVEL: "silent",
    // Whatever else this machine does: who attacks is let in.
    MAX_EVENT_LOOP_DELAY: "10000",
    ...settings,
  });
  const url = service.url.replace(/\/$/, "");
  return {
    url,
    socketUrl: url.replace(/^http/, "ws"),
    pid: service.pid,
    memoryBytes: () => residentBytes(service.pid),
    stop: () => service.stop(),
  };
}

function residentBytes(pid: number): number {
  if (process.platform !== "linux") return 0;
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}
