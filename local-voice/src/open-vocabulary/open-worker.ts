/** Worker thread entry. Recognising a sentence takes 100 to 300 ms; on the main thread that would interrupt the audio of every caller. */
import { parentPort } from "node:worker_threads";
import { workerReady } from "@voice/provider-kit/worker-threads/supervised-worker";
import { loadMoonshine } from "./moonshine.ts";
import { openRateHz } from "./open-protocol.ts";
import type { FromOpenWorker, ToOpenWorker } from "./open-protocol.ts";

const port = parentPort;
if (port === null) throw new Error("open-worker runs in a worker thread");

const tell = (message: FromOpenWorker): void => port.postMessage(message, []);

const recognise = await loadMoonshine();
// The first sentence would take twice as long as the others.
recognise(new Int16Array(openRateHz));

port.on("message", ({ job, samples }: ToOpenWorker) => {
  try {
    tell({ type: "recognised", job, text: recognise(samples) });
  } catch (error) {
    tell({ type: "failed", job, reason: error instanceof Error ? error.message : "unknown" });
  }
});
port.postMessage(workerReady, []);
