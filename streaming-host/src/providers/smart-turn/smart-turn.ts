/**
 * Smart Turn v3 (BSD-2, huggingface.co/pipecat-ai/smart-turn-v3): a Whisper encoder with a head that gives the probability that the speaker
 * has finished. Any ONNX model with its interface can be used: 8 s of log-mel features (1 × 80 × 800) in, a probability out.
 */
import { access } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { whenStarted, WorkerThreads } from "@voice/provider-kit/worker-threads/worker-threads";
import type { WorkerThread } from "@voice/provider-kit/worker-threads/worker-threads";
import type { VoiceEndOfTurnModel } from "@voice/provider-kit/ports/end-of-turn";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { findRuntime } from "./onnx-runtime.ts";
import type { FromSmartTurnWorker, SmartTurnWorkerData, ToSmartTurnWorker } from "./smart-turn-protocol.ts";

export interface SmartTurnOptions {
  readonly modelFile: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A judgement that waits behind three others (15 to 100 ms each) comes when most waits have ended. */
const maxPending = 3;
/** More threads would take processor time from the audio of callers. */
const mostThreads = 4;

/** Resolves once the model is loaded; rejects with a `ConfigurationError` that says what to install or to change. */
export async function createSmartTurn(options: SmartTurnOptions): Promise<VoiceEndOfTurnModel> {
  const { modelFile } = options;
  await requireReadable(modelFile);
  const runtime = findRuntime(modelFile);
  if (runtime === undefined) throw notInstalled(modelFile);
  return whenStarted(new SmartTurn(options, { modelFile, runtime }));
}

async function requireReadable(modelFile: string): Promise<void> {
  try {
    await access(modelFile);
  } catch {
    throw new ConfigurationError([`END_OF_TURN_MODEL_FILE names ${modelFile}, which cannot be read`]);
  }
}

function notInstalled(modelFile: string): ConfigurationError {
  const folder = dirname(modelFile);
  return new ConfigurationError([
    `END_OF_TURN_MODEL_FILE needs an ONNX runtime beside the model: run "npm install onnxruntime-node" in ${folder}, or install onnxruntime-web there`,
  ]);
}

interface Job {
  resolve(probability: number): void;
  reject(error: unknown): void;
}

type Pending = Map<number, Job>;
type Thread = WorkerThread<ToSmartTurnWorker, Pending>;

class SmartTurn implements VoiceEndOfTurnModel {
  readonly #threads: WorkerThreads<ToSmartTurnWorker, FromSmartTurnWorker, Pending>;
  #jobs = 0;

  constructor({ clock, logger }: SmartTurnOptions, workerData: SmartTurnWorkerData) {
    this.#threads = new WorkerThreads({
      engine: "the end-of-turn model",
      count: Math.min(mostThreads, Math.max(1, availableParallelism() - 1)),
      url: new URL("./smart-turn-worker.ts", import.meta.url),
      workerData,
      clock,
      logger,
      createState: () => new Map<number, Job>(),
      onMessage: (thread, message) => onMessage(thread, message),
      onDied: ({ state }, error) => {
        for (const job of state.values()) job.reject(error);
        state.clear();
      },
    });
  }

  get started(): Promise<void> {
    return this.#threads.started;
  }

  async judge(samples: Int16Array, signal: AbortSignal): Promise<number | undefined> {
    signal.throwIfAborted();
    const thread = leastBusy(this.#threads.ready);
    if (thread === undefined || thread.state.size >= maxPending) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const job = ++this.#jobs;
    thread.state.set(job, { resolve, reject });
    // The thread finishes what it has started, and the result is ignored.
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    thread.worker.post({ job, samples });
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}

function onMessage({ state }: Thread, message: FromSmartTurnWorker): void {
  const job = state.get(message.job);
  state.delete(message.job);
  if (message.type === "judged") job?.resolve(message.probability);
  else
    job?.reject(
      new VoiceError("upstream_unavailable", `the end-of-turn model failed: ${message.reason}`, { retryable: false }),
    );
}

function leastBusy(threads: readonly Thread[]): Thread | undefined {
  return threads.reduce<Thread | undefined>(
    (least, thread) => (least === undefined || thread.state.size < least.state.size ? thread : least),
    undefined,
  );
}
