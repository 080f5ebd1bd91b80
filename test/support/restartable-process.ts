/** A process of ours that a test kills, stops and starts again at the same address. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { nodeEnvironment } from "./node-environment.ts";
import { eventually } from "./wait.ts";

export interface RestartableProcess {
  readonly port: number;
  readonly isRunning: boolean;
  /** Of the latest start; undefined before the first. */
  readonly pid: number | undefined;
  /** Resolves when it may get requests. */
  start(): Promise<void>;
  /** Kills it as a crash does, without a message and without saving anything. */
  kill(): Promise<void>;
  /** Stops it as a platform does; resolves with the exit code when the process has ended by itself. */
  stop(): Promise<number | null>;
  /** Sends a signal for which the test has installed a handler. */
  signal(name: NodeJS.Signals): void;
}

export interface RestartableProcessOptions {
  readonly what: string;
  readonly port: number;
  readonly script: string;
  readonly args?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Answers with a success when the process is ready. */
  readonly readyPath: string;
}

/** Loading the speech models takes most of it, where there are any. */
const startBoundMs = 90_000;

export function createRestartableProcess(options: RestartableProcessOptions): RestartableProcess {
  const { what, port, script, args = [], environment, readyPath } = options;
  let child: ChildProcess | undefined;
  const isRunning = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;

  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    if (child === undefined || !isRunning()) return null;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
    return child.exitCode;
  }

  return {
    port,
    get isRunning() {
      return isRunning();
    },
    get pid() {
      return child?.pid;
    },
    async start() {
      const started = spawn(process.execPath, [script, ...args], {
        env: { ...nodeEnvironment(), LOG_LEVEL: "error", ...environment },
        stdio: ["ignore", "pipe", "inherit"],
      });
      child = started;
      let printed = "";
      started.stdout.on("data", (text: Buffer) => (printed = `${printed}${text.toString()}`.slice(-2000)));
      const isReady = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}${readyPath}`)).ok;
      await eventually(async () => !isRunning() || (await isReady()), `${what} is ready`, startBoundMs);
      if (!isRunning()) throw new Error(`${what} ended with ${started.exitCode}: ${printed}`);
    },
    async kill() {
      await end("SIGKILL");
    },
    stop: () => end("SIGTERM"),
    signal(name) {
      child?.kill(name);
    },
  };
}
