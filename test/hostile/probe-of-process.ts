/**
 * Loaded into the service under attack, ahead of it: how long its main thread was busy in one go, and how much memory it
 * holds. Both are its own doing, whatever else the machine has to do; who asks sends a signal and reads a file.
 */
import { writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { isMainThread } from "node:worker_threads";
import { runInNewContext } from "node:vm";

const tickMs = 2;
const file = process.env["HOSTILE_PROBE_FILE"];

if (isMainThread && file !== undefined) watch(file);

function watch(answerFile: string): void {
  setFlagsFromString("--expose-gc");
  const collect = (): void => void runInNewContext("gc()");
  let lastMs = busyMs();
  let longestMs = 0;
  setInterval(() => {
    const nowMs = busyMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  }, tickMs).unref();
  process.on("SIGUSR2", () => {
    const longestBusyMs = longestMs;
    // What is only reachable through a finaliser goes in the second collection.
    for (let round = 0; round < 3; round += 1) collect();
    const { heapUsed, external, rss } = process.memoryUsage();
    writeFileSync(answerFile, JSON.stringify({ longestBusyMs, heapUsed, external, rss }));
    lastMs = busyMs();
    longestMs = 0;
  });
}

/** Of this thread, so that waiting for a processor does not count. */
function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
