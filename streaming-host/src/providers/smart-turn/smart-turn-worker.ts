/** Worker thread entry. A judgement takes 15 to 100 ms of computing; on the main thread that would interrupt the audio of every caller. */
import { readFile } from "node:fs/promises";
import { workerData } from "node:worker_threads";
import { serveJobs } from "@voice/provider-kit/worker-threads/serve-jobs";
import { bands, columns, createLogMel } from "./log-mel.ts";
import { openModel } from "./onnx-runtime.ts";

export interface SmartTurnWorkerData {
  readonly modelFile: string;
  /** The file of an ONNX runtime, as a URL. */
  readonly runtime: string;
}

const { modelFile, runtime }: SmartTurnWorkerData = workerData;
const run = await openModel(runtime, await readFile(modelFile));
const logMel = createLogMel();

serveJobs((samples) => run(logMel.measure(samples), [1, bands, columns]));
