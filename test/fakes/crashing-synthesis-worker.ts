/** A synthesis thread that dies of the text "crash" and answers anything else with three samples. */
import { parentPort } from "node:worker_threads";
import type { ToSynthesisWorker } from "@voice/local-voice/synthesiser/synthesis-protocol";

parentPort?.on("message", (message: ToSynthesisWorker) => {
  if (message.type !== "speak") return;
  if (message.text === "crash") throw new Error("a trap in the engine");
  parentPort?.postMessage({ type: "piece", job: message.job, samples: Int16Array.of(1, 2, 3), words: [] }, []);
  parentPort?.postMessage({ type: "done", job: message.job }, []);
});
parentPort?.postMessage("ready", []);
