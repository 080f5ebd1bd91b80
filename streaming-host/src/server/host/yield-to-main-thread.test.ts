import { execFileSync } from "node:child_process";
import { getPriority } from "node:os";
import { createLogger } from "@voice/shared/platform/logger";
import { expect, it } from "vitest";
import { helperNiceness, helperThreads, yieldToMainThread } from "./yield-to-main-thread.ts";

const isLinux = process.platform === "linux";

it("takes V8's helper threads and no other", () => {
  const threads = [
    { id: 1, name: "MainThread" },
    { id: 2, name: "DelayedTaskSche" },
    { id: 3, name: "V8Worker" },
    { id: 4, name: "V8Worker" },
    { id: 5, name: "SignalInspector" },
    { id: 6, name: "libuv-worker" },
    { id: 7, name: "WorkerThread" },
  ];
  expect(helperThreads(threads).map(({ id }) => id)).toEqual([3, 4]);
});

/** Prints names and niceness of its threads, one of which it starts afterwards. */
const host = `
  import { readdirSync, readFileSync } from "node:fs";
  import { Worker } from "node:worker_threads";
  import { yieldToMainThread } from ${JSON.stringify(new URL("yield-to-main-thread.ts", import.meta.url))};
  yieldToMainThread(console);
  const worker = new Worker("setInterval(() => undefined, 1000)", { eval: true });
  worker.once("online", () => {
    const threads = readdirSync("/proc/self/task").map((id) => {
      const [, name, fields] = readFileSync("/proc/self/task/" + id + "/stat", "utf8").match(/\\((.*)\\) (.*)/);
      return { name, niceness: Number(fields.split(" ")[16]) }; // the line's 19th field: proc_pid_stat(5)
    });
    console.log(JSON.stringify(threads));
    void worker.terminate();
  });
`;

it.runIf(isLinux)("raises the niceness of V8's helper threads, and of none that starts later", () => {
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", host], { encoding: "utf8" });
  const threads: { name: string; niceness: number }[] = JSON.parse(printed);
  const nicenessOf = (named: (name: string) => boolean) => [
    ...new Set(threads.filter(({ name }) => named(name)).map(({ niceness }) => niceness)),
  ];
  const own = getPriority(); // this process may have been started with a niceness, which the host inherits
  expect(nicenessOf((name) => name === "V8Worker")).toEqual([Math.min(own + helperNiceness, 19)]);
  expect(threads.some(({ name }) => name === "WorkerThread")).toBe(true);
  expect(nicenessOf((name) => name !== "V8Worker")).toEqual([own]);
});

it.runIf(isLinux)("goes on with a warning where the system refuses", () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "warn", name: "test", destination: { write: (line) => void lines.push(line) } });
  yieldToMainThread(logger, () => {
    throw new Error("EACCES");
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("helper threads");
});
