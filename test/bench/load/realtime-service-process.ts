/**
 * The realtime service in a process of its own, which loads nothing of the host that is measured: of the short form of the benchmark, that
 * was a fifth of all processor time.
 */
import { compileAtFirstUse } from "@voice/streaming-host/server/host/compile-at-first-use";
import { letBuffersWait } from "@voice/streaming-host/server/host/let-buffers-wait";
import { startRealtimeService } from "./realtime-service.ts";

process.once("disconnect", () => process.exit(0));
letBuffersWait();
const port = await startRealtimeService();
compileAtFirstUse(); // as its clients do, so that it answers as soon as it did when they were measured first
process.send?.({ port });
