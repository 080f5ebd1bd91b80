import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { nodeEnvironment } from "./node-environment.ts";

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The functions app in a process of its own. */
export async function startFunctionsProcess(
  entry: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  return startServerProcess(path.join(import.meta.dirname, "functions-process.ts"), [entry], environment);
}

/** A script that prints its URL once it listens. Its environment is the given one and nothing of ours; `flags` are of Node. */
export async function startServerProcess(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...flags, script, ...args], {
    env: { ...nodeEnvironment(), ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${path.basename(script)} ended with ${code}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      const found = /http:\/\/\S+/.exec(chunk.toString())?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
