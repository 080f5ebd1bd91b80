import { readdirSync, readFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import type { Logger } from "@voice/shared/platform/logger";

/**
 * The niceness of V8's helper threads, relative to the main thread: at 10 they get a tenth of its share of a core that both want. The main thread
 * waits for them at the end of a collection, so at 19 any other program on that core would hold up all callers (docs/decisions/031).
 */
export const helperNiceness = 10;

interface Thread {
  readonly id: number;
  readonly name: string;
}

/**
 * V8's helper threads collect garbage and compile. Linux lets a thread that was just woken run at once, so on a host with one core they take
 * the processor from the thread that serves all callers, for up to 20 ms at a time (docs/benchmarks.md). From now on they run while that one
 * waits. Only on Linux does each thread have a niceness of its own; raising it needs no privilege.
 */
export function yieldToMainThread(logger: Pick<Logger, "warn">, setNiceness: typeof setPriority = setPriority): void {
  if (process.platform !== "linux") return;
  try {
    const niceness = Math.min(getPriority() + helperNiceness, constants.priority.PRIORITY_LOW);
    for (const { id } of helperThreads(ownThreads())) setNiceness(id, niceness);
  } catch (error) {
    logger.warn({ error }, "V8's helper threads keep the main thread's priority, so on one core they delay callers");
  }
}

/**
 * The helper threads of V8, by the name that Node 24 gives them. They start with the process, and worker threads share them. Callers wait for what other
 * threads do: libuv's read files and resolve names, and worker threads recognise and synthesise speech.
 */
export function helperThreads(threads: readonly Thread[]): Thread[] {
  return threads.filter(({ name }) => name === "V8Worker");
}

function ownThreads(): Thread[] {
  return readdirSync("/proc/self/task").map((id) => ({
    id: Number(id),
    name: readFileSync(`/proc/self/task/${id}/comm`, "utf8").trim(),
  }));
}
