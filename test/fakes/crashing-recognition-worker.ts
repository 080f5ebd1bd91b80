/** A recognition thread that opens any stream and dies of the first flush. */
import { parentPort } from "node:worker_threads";
import type { ToRecognitionWorker } from "@voice/local-voice/recogniser/recognition-protocol";

parentPort?.on("message", (message: ToRecognitionWorker) => {
  if (message.type === "flush") throw new Error("a trap in the engine");
  if (message.type === "open") parentPort?.postMessage({ type: "opened", stream: message.stream }, []);
});
parentPort?.postMessage("ready", []);
