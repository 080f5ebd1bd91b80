/** `node server.ts <kind> [address of the realtime service]`: one of the servers under load; load-process.ts starts it. */
import { tellFigures } from "./figures.ts";
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

tellFigures();
const port = await servers[kind]?.();
process.send?.({ port });
