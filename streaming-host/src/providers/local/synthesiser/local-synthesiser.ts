/**
 * The synthesiser that needs no account: Flite in worker threads. Requests queue here, not in the threads, so that one
 * which is called off before its turn costs nothing.
 */
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";
import { isSampleRate } from "../../../audio/resample.ts";
import type { SynthesisEvents, SynthesisRequest, Synthesiser } from "../../ports/synthesiser.ts";
import { compileFlite } from "./compile-flite.ts";
import { superviseWorker } from "../supervised-worker.ts";
import type { SupervisedWorker } from "../supervised-worker.ts";
import type { FromSynthesisWorker, SynthesisWorkerData, ToSynthesisWorker } from "./synthesis-protocol.ts";
import { fliteSettings } from "./voices.ts";

export interface LocalSynthesiserOptions {
  /** One speaks 50 times faster than real time; more of them only shorten the wait of simultaneous requests. */
  readonly workers?: number;
  /** Where a bundled host keeps `synthesis-worker`. */
  readonly workerUrl?: URL;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** At 80 ms each a queue this long is 5 s behind, which no listener waits for: refusing is kinder. */
const MAX_QUEUED = 64;

interface Request {
  readonly job: number;
  readonly request: SynthesisRequest;
  readonly events: SynthesisEvents;
  resolve(): void;
  reject(error: unknown): void;
}

interface Slot {
  readonly worker: SupervisedWorker<ToSynthesisWorker>;
  ready: boolean;
  /** The job that the thread is working on, kept even when its caller has gone: it is busy until it says so. */
  job: number | undefined;
}

export async function createLocalSynthesiser(options: LocalSynthesiserOptions = {}): Promise<Synthesiser> {
  const { clock = systemClock, logger = silentLogger, workers: workerCount = 1 } = options;
  const url = options.workerUrl ?? new URL("./synthesis-worker.ts", import.meta.url);
  const workerData: SynthesisWorkerData = { module: await compileFlite() };

  const waiting: Request[] = [];
  const active = new Map<number, Request>();
  const slots: Slot[] = [];
  const figures = { warmupCycles: 0, warmupFailures: 0, allocationsTotal: 0, allocationsWarm: 0 };
  let nextJob = 1;
  let closing: Promise<void> | undefined;

  const dispatch = (): void => {
    for (const slot of slots) {
      if (!slot.ready || slot.job !== undefined) continue;
      const next = waiting.shift();
      if (next === undefined) return;
      slot.job = next.job;
      active.set(next.job, next);
      const { text, voice, sampleRateHz } = next.request;
      slot.worker.post({ type: "speak", job: next.job, text, settings: fliteSettings(voice), sampleRateHz });
    }
  };

  const release = (slot: Slot): Request | undefined => {
    const request = slot.job === undefined ? undefined : active.get(slot.job);
    if (slot.job !== undefined) active.delete(slot.job);
    slot.job = undefined;
    return request;
  };

  const hear = (slot: Slot, message: FromSynthesisWorker): void => {
    if (message.job !== slot.job) return;
    if (message.type === "piece") {
      const request = active.get(message.job);
      // Words first: a receiver that counts what was heard has them before the audio they describe.
      for (const word of message.words) request?.events.onWord(word);
      // A word's receiver may have called the request off.
      active.get(message.job)?.events.onAudio(message.samples);
      return;
    }
    const request = release(slot);
    if (message.type === "done") request?.resolve();
    else request?.reject(new VoiceError("upstream_unavailable", `local synthesis failed: ${message.reason}`));
    dispatch();
  };

  await new Promise<void>((resolve, reject) => {
    for (let index = 0; index < workerCount; index++) {
      const slot: Slot = {
        ready: false,
        job: undefined,
        worker: superviseWorker<ToSynthesisWorker, FromSynthesisWorker>({
          url,
          workerData,
          clock,
          logger,
          onReady() {
            slot.ready = true;
            figures.warmupCycles++;
            if (slots.every(({ ready }) => ready)) resolve();
            dispatch();
          },
          onMessage: (message) => hear(slot, message),
          onDown(wasReady) {
            slot.ready = false;
            if (!wasReady) figures.warmupFailures++;
            release(slot)?.reject(new VoiceError("upstream_unavailable", "the local synthesiser's thread died"));
            if (!wasReady) reject(new VoiceError("dependency_not_ready", "the local synthesiser does not start"));
          },
        }),
      };
      slots.push(slot);
    }
  }).catch(async (error: unknown) => {
    await Promise.all(slots.map(({ worker }) => worker.close()));
    throw error;
  });

  return {
    synthesise(request, events, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (closing !== undefined) return Promise.reject(new VoiceError("dependency_not_ready", "synthesiser is closed"));
      if (!isSampleRate(request.sampleRateHz))
        return Promise.reject(new VoiceError("audio_format_unsupported", "sample rate of the requested audio"));
      if (waiting.length >= MAX_QUEUED)
        return Promise.reject(new VoiceError("speech_quota_exceeded", "too many clauses wait for the synthesiser"));

      return new Promise<void>((resolve, reject) => {
        const job = nextJob++;
        const abort = (): void => {
          const index = waiting.findIndex((queued) => queued.job === job);
          if (index !== -1) waiting.splice(index, 1);
          if (active.delete(job)) slots.find((slot) => slot.job === job)?.worker.post({ type: "cancel", job });
          reject(signal.reason);
        };
        const settled =
          <Value extends unknown[]>(settle: (...value: Value) => void) =>
          (...value: Value) => {
            signal.removeEventListener("abort", abort);
            settle(...value);
          };
        signal.addEventListener("abort", abort, { once: true });
        figures.allocationsTotal++;
        if (slots.some((slot) => slot.ready && slot.job === undefined)) figures.allocationsWarm++;
        waiting.push({ job, request, events, resolve: settled(resolve), reject: settled(reject) });
        dispatch();
      });
    },
    pool: () => ({
      ready: closing === undefined && slots.some(({ ready }) => ready),
      warmSize: slots.filter(({ ready, job }) => ready && job === undefined).length,
      warmTarget: workerCount,
      activeSessions: active.size,
      allocationsTotal: figures.allocationsTotal,
      allocationsWarm: figures.allocationsWarm,
      allocationsCold: figures.allocationsTotal - figures.allocationsWarm,
      warmupCycles: figures.warmupCycles,
      warmupFailures: figures.warmupFailures,
    }),
    close() {
      closing ??= (async () => {
        const closed = new VoiceError("dependency_not_ready", "synthesiser is closed");
        for (const request of [...waiting.splice(0), ...active.values()]) request.reject(closed);
        active.clear();
        await Promise.all(slots.map(({ worker }) => worker.close()));
      })();
      return closing;
    },
  };
}
