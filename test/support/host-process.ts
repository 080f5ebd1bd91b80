/** A streaming host in a process of its own, to be killed. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { eventually } from "./wait.ts";

export interface HostProcess {
  readonly port: number;
  readonly isRunning: boolean;
  /** As a crash does it: nothing is said, nothing is saved. */
  kill(): Promise<void>;
  /** Resolves when it may get connections. */
  start(): Promise<void>;
}

const main = fileURLToPath(new URL("../../streaming-host/src/main.ts", import.meta.url));
/** Loading the speech models takes most of it. */
const startBoundMs = 90_000;

export function createHostProcess(port: number, environment: Readonly<Record<string, string>>): HostProcess {
  let child: ChildProcess | undefined;
  const isRunning = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    port,
    get isRunning() {
      return isRunning();
    },
    async start() {
      child = spawn(process.execPath, [main], {
        env: { PATH: process.env["PATH"], PORT: `${port}`, LOG_LEVEL: "error", ...environment },
        stdio: ["ignore", "inherit", "inherit"],
      });
      await eventually(
        async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok,
        "the streaming host is ready",
        startBoundMs,
      );
    },
    async kill() {
      if (child === undefined || !isRunning()) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}
