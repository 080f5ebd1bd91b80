/** `node server.ts <kind> [address of the realtime service]`: one of the servers under load; load-process.ts starts it. */
import { compileAtFirstUse } from "@voice/streaming-host/server/host/compile-at-first-use";
import { letBuffersWait } from "@voice/streaming-host/server/host/let-buffers-wait";
import { yieldToMainThread } from "@voice/streaming-host/server/host/yield-to-main-thread";
import { reportFigures } from "./figures.ts";
import { startBareBridge, startBareHook, startEcho } from "./floors.ts";
import { startCascade, startTelephony, startVoiceLive } from "./products.ts";
import { watchTurnStages } from "./turn-stages.ts";

const [, , kind = "", serviceUrl = ""] = process.argv;
const servers: Readonly<Record<string, () => Promise<number>>> = {
  floor: startEcho,
  cascade: startCascade,
  "bridge-floor": () => startBareBridge(serviceUrl.replace(/^http/, "ws")),
  "voice-live": () => startVoiceLive(serviceUrl),
  "telephony-floor": () => startBareHook(serviceUrl.replace(/^http/, "ws")),
  telephony: () => startTelephony(serviceUrl),
};

reportFigures();
if (process.env["BENCH_STAGES"] === "1") watchTurnStages();
// As a host does, so that floors have the same heap and threads.
letBuffersWait();
yieldToMainThread(console);
const port = await servers[kind]?.();
compileAtFirstUse(); // as a host does when it has started
process.send?.({ port });
