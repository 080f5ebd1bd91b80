/** `node server.ts <kind> [address of the realtime service]`: one of the servers under load; load-process.ts starts it. */
import { PerformanceObserver, constants } from "node:perf_hooks";
import { startBareBridge, startEcho } from "./floors.ts";
import { startCascade, startVoiceLive } from "./products.ts";
import { startRealtimeService } from "./realtime-service.ts";

const [, , kind = "", serviceUrl = ""] = process.argv;
const servers: Readonly<Record<string, () => Promise<number>>> = {
  floor: startEcho,
  cascade: startCascade,
  "bridge-floor": () => startBareBridge(serviceUrl.replace(/^http/, "ws")),
  "voice-live": () => startVoiceLive(serviceUrl),
  service: startRealtimeService,
};

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

process.on("message", (asked) => {
  if (asked === "settle") globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, rss } = process.memoryUsage();
  const collections = { minor: pauses.minor.splice(0), major: pauses.major.splice(0) };
  process.send?.({ cpuMs: (user + system) / 1000, heapBytes: heapUsed, rssBytes: rss, collections });
});
process.once("disconnect", () => process.exit(0));
const port = await servers[kind]?.();
process.send?.({ port });
