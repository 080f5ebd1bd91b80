/**
 * Smart Turn v3 (BSD-2, huggingface.co/pipecat-ai/smart-turn-v3): a Whisper encoder with a head that gives the probability that the speaker
 * has finished. Any ONNX model with its interface can be used: 8 s of log-mel features (1 × 80 × 800) in, a probability out.
 */
import { access } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { JobThreads } from "@voice/provider-kit/worker-threads/job-threads";
import { whenStarted } from "@voice/provider-kit/worker-threads/worker-threads";
import type { VoiceEndOfTurnModel } from "@voice/provider-kit/ports/end-of-turn";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { findRuntime } from "./onnx-runtime.ts";
import type { SmartTurnWorkerData } from "./smart-turn-worker.ts";

/** A judgement that waits behind three others (15 to 100 ms each) comes when most waits have ended. */
const maxPending = 3;
/** More threads would take processor time from the audio of callers. */
const mostThreads = 4;

/** Resolves once the model is loaded; rejects with a `ConfigurationError` that says what to install or to change. */
export async function createSmartTurn(modelFile: string, clock: Clock, logger: Logger): Promise<VoiceEndOfTurnModel> {
  await requireReadable(modelFile);
  const runtime = findRuntime(modelFile);
  if (runtime === undefined) throw notInstalled(modelFile);
  return whenStarted(new SmartTurn({ modelFile, runtime }, clock, logger));
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

class SmartTurn implements VoiceEndOfTurnModel {
  readonly #threads: JobThreads<number>;

  constructor(workerData: SmartTurnWorkerData, clock: Clock, logger: Logger) {
    this.#threads = new JobThreads({
      engine: "the end-of-turn model",
      count: Math.min(mostThreads, Math.max(1, availableParallelism() - 1)),
      maxPending,
      url: new URL("./smart-turn-worker.ts", import.meta.url),
      workerData,
      clock,
      logger,
    });
  }

  get started(): Promise<void> {
    return this.#threads.started;
  }

  async judge(samples: Int16Array, signal: AbortSignal): Promise<number | undefined> {
    signal.throwIfAborted();
    return await this.#threads.run(samples, { signal });
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}
