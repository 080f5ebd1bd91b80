/** A server under load in a process of its own and, where the system supports it, on a core of its own. */
import { execFileSync, fork } from "node:child_process";
import { cpus } from "node:os";
import path from "node:path";
import { z } from "zod";
import type { SelfTime } from "./profile.ts";

const reading = z.object({
  cpuMs: z.number(),
  heapBytes: z.number(),
  rssBytes: z.number(),
  /** How long its main thread has run. */
  ranMs: z.number(),
  /** For how long its main thread has waited for a processor that others had, its other threads among them. */
  queuedMs: z.number(),
  /** 0 where the system does not say. */
  descriptors: z.number(),
  timers: z.number(),
  /** Pauses since the last reading, in milliseconds. */
  collections: z.object({ minor: z.array(z.number()), major: z.array(z.number()) }),
  /** Of each turn since the last reading, if turn-stages.ts watches them. */
  stagesUs: z.array(z.array(z.number())).default([]),
});
export type Reading = z.infer<typeof reading>;
const profile = z.array(z.object({ where: z.string(), ms: z.number() }));

export interface LoadProcess {
  readonly port: number;
  /** `settle`: after a collection of garbage, which is a pause of its own. */
  read(what: "now" | "settle"): Promise<Reading>;
  startProfile(): Promise<void>;
  stopProfile(): Promise<SelfTime[]>;
  stop(): Promise<void>;
}

export interface LoadProcessOptions {
  /** Flags for Node. */
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
  readonly core?: number;
}

export async function startLoadProcess(file: string, options: LoadProcessOptions): Promise<LoadProcess> {
  const child = fork(path.resolve(import.meta.dirname, file), options.args ?? [], {
    execArgv: ["--expose-gc", ...process.execArgv, ...(options.flags ?? [])],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  if (options.core !== undefined && child.pid !== undefined) pinTo(options.core, child.pid);
  let waiting: PromiseWithResolvers<unknown> | undefined;
  child.on("message", (message) => waiting?.resolve(message));
  const exited = new Promise<void>((resolve) => {
    child.once("exit", (code) => {
      waiting?.reject(new Error(`${file} ${options.args?.join(" ")} exited with ${code}`));
      resolve();
    });
  });
  const answer = (): Promise<unknown> => (waiting = Promise.withResolvers()).promise;
  const ask = (what: string): Promise<unknown> => {
    const next = answer();
    child.send(what);
    return next;
  };
  const { port } = z.object({ port: z.number() }).parse(await answer());
  return {
    port,
    read: async (what) => reading.parse(await ask(what)),
    startProfile: async () => void (await ask("start profile")),
    stopProfile: async () => profile.parse(await ask("stop profile")),
    async stop() {
      if (child.connected) child.disconnect(); // it leaves by itself then, and writes its profile if it was started with one
      await exited;
    },
  };
}

/** The server has a core to itself and everything else has the others, so that one core's worth is measured. */
export function pinTo(core: number | "others" | "all", pid: number): boolean {
  const cores = cpus().length; // all of the machine's, because this process may be pinned itself
  if (process.platform !== "linux" || cores < 2) return false;
  try {
    const list = typeof core === "number" ? `${core}` : `${core === "others" ? 1 : 0}-${cores - 1}`;
    execFileSync("taskset", ["-a", "-c", "-p", list, `${pid}`], { stdio: "ignore" });
    return true;
  } catch {
    return false; // not installed: the system decides
  }
}
