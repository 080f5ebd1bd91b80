/**
 * How long a thread did not return to its event loop, and why: it was busy itself, it waited for a processor that somebody
 * else had, or it slept in a call (a file, a pipe, a page of memory). Only the first and the last are its own doing.
 */
import { openSync, readSync } from "node:fs";
import { PerformanceObserver, type PerformanceEntry } from "node:perf_hooks";
import { busyMs } from "@voice/streaming-host/testing/busy-ms";

export interface Stall {
  /** When it was over, in milliseconds of the clock that all processes share. */
  readonly atMs: number;
  /** By the clock on the wall. */
  readonly delayMs: number;
  /** Of these the thread had a processor for so long. */
  readonly busyMs: number;
  /** And waited for one for so long; 0 where the system does not say. */
  readonly queuedMs: number;
  /** It collected garbage for so long, whatever of that it had a processor for. */
  readonly collectingMs: number;
}

interface LoopWatch {
  /** Those since they were last taken, and the longest that the thread was busy in one go. */
  take(): { readonly stalls: readonly Stall[]; readonly longestBusyMs: number };
}

const tickMs = 2;
/** Shorter stalls delay nobody. */
const shortestMs = 5;

/** Of the thread that calls it, which must be the main one. */
export function watchLoop(): LoopWatch {
  const readQueuedMs = queueClock();
  const collections = watchCollections();
  const now = (): Stall => {
    return {
      atMs: sharedNowMs(),
      delayMs: 0,
      busyMs: busyMs(),
      queuedMs: readQueuedMs(),
      collectingMs: 0,
    };
  };
  let last = now();
  let stalls: Stall[] = [];
  let longestBusyMs = 0;
  setInterval(() => {
    const at = now();
    const busyMs = at.busyMs - last.busyMs;
    const delayMs = at.atMs - last.atMs - tickMs;
    if (delayMs > shortestMs) stalls.push({ ...at, delayMs, busyMs, queuedMs: at.queuedMs - last.queuedMs });
    longestBusyMs = Math.max(longestBusyMs, busyMs);
    last = at;
  }, tickMs).unref();
  return {
    take() {
      const collected = collections.take();
      const taken = {
        stalls: stalls.map((stall) => ({ ...stall, collectingMs: within(stall, collected) })),
        longestBusyMs,
      };
      stalls = [];
      longestBusyMs = 0;
      last = now();
      return taken;
    },
  };
}

interface Collection {
  readonly atMs: number;
  readonly lastedMs: number;
}

function within({ atMs, delayMs }: Stall, collections: readonly Collection[]): number {
  return collections
    .filter((one) => one.atMs <= atMs && one.atMs + one.lastedMs >= atMs - delayMs - tickMs)
    .reduce((sum, { lastedMs }) => sum + lastedMs, 0);
}

function watchCollections(): { take(): readonly Collection[] } {
  const originMs = sharedNowMs() - performance.now();
  let collections: Collection[] = [];
  const keep = (entries: readonly PerformanceEntry[]): void => {
    for (const { startTime, duration } of entries) collections.push({ atMs: originMs + startTime, lastedMs: duration });
  };
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  return {
    take() {
      keep(observer.takeRecords());
      const taken = collections;
      collections = [];
      return taken;
    },
  };
}

/** The system's monotonic clock, so that what two processes have seen can be laid side by side. */
export function sharedNowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Linux counts for how long a thread that could have run did not. */
function queueClock(): () => number {
  const file = openSchedulerFile();
  if (file === undefined) return () => 0;
  const bytes = Buffer.alloc(100);
  return () => {
    const [, queuedNs = "0"] = bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, 0)).split(" ");
    return Number(queuedNs) / 1e6;
  };
}

function openSchedulerFile(): number | undefined {
  try {
    return openSync(`/proc/${process.pid}/schedstat`, "r");
  } catch {
    return undefined; // not Linux, or one that does not count
  }
}
