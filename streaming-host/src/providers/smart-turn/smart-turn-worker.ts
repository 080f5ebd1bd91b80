/** Worker thread entry. A judgement takes 15 to 100 ms of computing; on the main thread that would interrupt the audio of every caller. */
import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { workerReady } from "@voice/provider-kit/worker-threads/supervised-worker";
import { bands, columns, createLogMel } from "./log-mel.ts";
import { openModel } from "./onnx-runtime.ts";
import type { FromSmartTurnWorker, SmartTurnWorkerData, ToSmartTurnWorker } from "./smart-turn-protocol.ts";

const port = parentPort;
if (port === null) throw new Error("smart-turn-worker runs in a worker thread");
const { modelFile, runtime }: SmartTurnWorkerData = workerData;

const tell = (message: FromSmartTurnWorker): void => port.postMessage(message);

const run = await openModel(runtime, await readFile(modelFile));
const logMel = createLogMel();

port.on("message", ({ job, samples }: ToSmartTurnWorker) => {
  run(logMel.measure(samples), [1, bands, columns]).then(
    (probability) => tell({ type: "judged", job, probability }),
    (error: unknown) => tell({ type: "failed", job, reason: error instanceof Error ? error.message : "unknown" }),
  );
});
port.postMessage(workerReady);
