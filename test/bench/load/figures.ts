/** What a server under load reports about itself when load-process.ts asks. */
import { readdirSync, readFileSync } from "node:fs";
import { PerformanceObserver, constants } from "node:perf_hooks";
import { takeStages } from "./turn-stages.ts";
import { profileOnRequest } from "./profile.ts";

/** Starts the measurement. Called once, before anything else. */
export function reportFigures(): void {
  /** Pauses of the main thread, in milliseconds. */
  const pauses = { minor: Array<number>(), major: Array<number>() };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const detail: unknown = "detail" in entry ? entry.detail : undefined;
      const isMinor =
        typeof detail === "object" &&
        detail !== null &&
        "kind" in detail &&
        detail.kind === constants.NODE_PERFORMANCE_GC_MINOR;
      pauses[isMinor ? "minor" : "major"].push(entry.duration);
    }
  }).observe({ entryTypes: ["gc"] });
  profileOnRequest();
  process.on("message", (asked) => {
    if (asked !== "now" && asked !== "settle") return;
    if (asked === "settle") globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    const { heapUsed, rss } = process.memoryUsage();
    const collections = { minor: pauses.minor.splice(0), major: pauses.major.splice(0) };
    process.send?.({
      cpuMs: (user + system) / 1000,
      heapBytes: heapUsed,
      rssBytes: rss,
      ...mainThread(),
      collections,
      stagesUs: takeStages(),
      descriptors: process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0,
      timers: process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length,
    });
  });
  process.once("disconnect", () => process.exit(0));
}

/** How long the main thread has run, and waited for a processor that others had; 0 where the system does not say. */
function mainThread(): { readonly ranMs: number; readonly queuedMs: number } {
  try {
    const [ranNs = "0", waitedNs = "0"] = readFileSync(`/proc/${process.pid}/schedstat`, "utf8").split(" ");
    return { ranMs: Number(ranNs) / 1e6, queuedMs: Number(waitedNs) / 1e6 };
  } catch {
    return { ranMs: 0, queuedMs: 0 }; // not a Linux, or one without these statistics
  }
}
