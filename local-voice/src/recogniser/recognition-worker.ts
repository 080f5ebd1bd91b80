/**
 * Worker thread entry. soundswallower runs here because it takes over `uncaughtException` and blocks while it works.
 */
import { parentPort, workerData } from "node:worker_threads";
import { collectStartGarbage } from "@voice/shared/platform/collect-start-garbage";
import { loadSpeechModel } from "@voice/provider-kit/voice-activity/speech-model";
import { workerReady } from "@voice/provider-kit/worker-threads/supervised-worker";
import type { Grammar } from "./grammar.ts";
import { loadNoiseSuppression } from "./noise-suppressor.ts";
import type { RecognisedStream } from "./recognised-stream.ts";
import { loadRecognitionEngine } from "./recognition-engine.ts";
import type { FromRecognitionWorker, RecognitionWorkerData, ToRecognitionWorker } from "./recognition-protocol.ts";

const port = parentPort;
if (port === null) throw new Error("recognition-worker runs in a worker thread");
const { flite, warmDecoders, maxDecoders, confirmsSpeech, suppressesNoise }: RecognitionWorkerData = workerData;

const streams = new Map<number, RecognisedStream>();

const tell = (message: FromRecognitionWorker): void => port.postMessage(message, []);

// Where its runtime has no build for this machine, the main thread has said so.
const judgeSpeech = confirmsSpeech ? await loadSpeechModel().catch(() => undefined) : undefined;
const suppressNoise = suppressesNoise ? await loadNoiseSuppression() : undefined;
const decoderCount = { warm: warmDecoders, max: maxDecoders };
const engine = await loadRecognitionEngine(flite, decoderCount, { judgeSpeech, suppressNoise });

port.on("message", (message: ToRecognitionWorker) => {
  try {
    handle(message);
  } catch (error) {
    fail(message.stream, error);
  }
});
port.postMessage(workerReady, []);
collectStartGarbage();

function handle(message: ToRecognitionWorker): void {
  const { stream: id } = message;
  const stream = streams.get(id);
  switch (message.type) {
    case "open":
      open(message);
      return;
    case "audio":
      stream?.write(message.samples);
      tell({ type: "heard", stream: id, samples: message.samples.length });
      return;
    case "flush":
      stream?.flush();
      return;
    case "hints":
      if (stream === undefined) return;
      engine.expect(stream, message.hints);
      void prepare(id, stream.grammar);
      return;
    case "forget":
      stream?.forget();
      return;
    case "close":
      stream?.close();
      streams.delete(id);
      resumeOthers();
      return;
  }
}

function open({ stream: id, sendsSpeech, ...asked }: Extract<ToRecognitionWorker, { type: "open" }>): void {
  const stream = engine.open({
    ...asked,
    onSpeech: sendsSpeech ? (speech) => tell({ type: "speech", stream: id, ...speech }) : undefined,
    onPartial: (partial) => tell({ type: "partial", stream: id, ...partial }),
    onFinal(final) {
      tell({ type: "final", stream: id, ...final });
      resumeOthers();
    },
  });
  streams.set(id, stream);
  void prepare(id, stream.grammar).then(() => tell({ type: "opened", stream: id }));
}

async function prepare(id: number, grammar: Grammar): Promise<void> {
  try {
    await engine.prepare(grammar, new Set([...streams.values()].map((stream) => stream.grammar)));
    resumeOthers();
  } catch (error) {
    fail(id, error);
  }
}

/** A decoder may have become free. Deferred, because the stream that released it may still be running. */
function resumeOthers(): void {
  setImmediate(() => {
    for (const [id, stream] of streams) {
      try {
        stream.resume();
      } catch (error) {
        fail(id, error);
      }
    }
  });
}

/** A trap leaves the engine's memory in an unknown state for every stream, so the thread dies and is replaced. */
function fail(id: number, error: unknown): void {
  if (error instanceof WebAssembly.RuntimeError) throw error;
  const stream = streams.get(id);
  streams.delete(id);
  tell({ type: "failed", stream: id, reason: error instanceof Error ? error.message : "unknown" });
  stream?.close();
}
