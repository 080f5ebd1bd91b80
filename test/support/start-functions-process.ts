import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

export interface FunctionsProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** Resolves when the process listens. Its environment is the given one and nothing of ours. */
export async function startFunctionsProcess(
  entry: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<FunctionsProcess> {
  const script = path.join(import.meta.dirname, "functions-process.ts");
  const child = spawn(process.execPath, [script, entry], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the functions process ended with ${code}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      const found = /^http:\/\/\S+/m.exec(chunk.toString())?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
