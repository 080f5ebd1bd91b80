/**
 * Loaded into the service under attack, ahead of it: for how long its main thread kept everybody waiting, and how much memory
 * it holds. The asking process writes its question into a file, sends a signal and reads the answer.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { setFlagsFromString, writeHeapSnapshot } from "node:v8";
import { isMainThread } from "node:worker_threads";
import { runInNewContext } from "node:vm";
import { z } from "zod";
import { watchLoop } from "./loop-watch.ts";

const question = z.discriminatedUnion("ask", [
  z.object({ ask: z.literal("stalls") }),
  z.object({ ask: z.literal("memory"), snapshot: z.string().optional() }),
]);

const folder = process.env["HOSTILE_PROBE_FOLDER"];

if (isMainThread && folder !== undefined) watch(folder);

function watch(answersIn: string): void {
  setFlagsFromString("--expose-gc");
  // Collections that are asked for age code that conversations use, and compiling it again would count as a stall.
  setFlagsFromString("--no-flush-bytecode");
  const collect = (): void => void runInNewContext("gc()");
  const loop = watchLoop();
  process.on("SIGUSR2", () => {
    const asked = question.parse(JSON.parse(readFileSync(`${answersIn}/question.json`, "utf8")));
    const answer = asked.ask === "stalls" ? loop.take() : memory(collect, asked.snapshot);
    // Written under another name first, because the waiting process may read the file at any moment.
    writeFileSync(`${answersIn}/written.json`, JSON.stringify(answer));
    renameSync(`${answersIn}/written.json`, `${answersIn}/answer.json`);
    if (asked.ask === "memory") loop.take(); // the collection's own pause is not caused by an attack
  });
}

function memory(collect: () => void, snapshot: string | undefined): object {
  // What is only reachable through a finaliser goes in the second collection.
  for (let round = 0; round < 3; round += 1) collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  if (snapshot !== undefined) writeHeapSnapshot(snapshot);
  return { heapUsed, external, rss };
}
