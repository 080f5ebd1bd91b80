/** A server under load in a process of its own, so that its CPU time and its event loop are its own. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";

export type ServerKind = "echo" | "frames" | "turns";

const reading = z.object({ cpuMs: z.number(), heapBytes: z.number() });

export interface ServerProcess {
  readonly port: number;
  /** After a collection of garbage. */
  read(): Promise<z.infer<typeof reading>>;
  stop(): void;
}

export async function startServer(kind: ServerKind): Promise<ServerProcess> {
  const child = fork(fileURLToPath(new URL("server.ts", import.meta.url)), [kind], {
    execArgv: ["--expose-gc", ...process.execArgv],
  });
  const answer = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      child.once("message", resolve);
      child.once("exit", (code) => reject(new Error(`the ${kind} server exited with ${code}`)));
    });
  const { port } = z.object({ port: z.number() }).parse(await answer());
  return {
    port,
    async read() {
      const next = answer();
      child.send("read");
      return reading.parse(await next);
    },
    stop: () => child.disconnect(), // it leaves by itself then, and writes its profile if it was started with one
  };
}
