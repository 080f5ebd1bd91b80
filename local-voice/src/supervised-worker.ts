/**
 * A worker thread that is always there: when it dies it is replaced, and its owner hears of both. Speech engines are
 * C code under WebAssembly; a trap in one of them must cost the requests it was serving and nothing else.
 */
import { Worker } from "node:worker_threads";
import type { TransferListItem } from "node:worker_threads";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";

export interface SupervisedWorker<ToWorker> {
  /** Dropped while no worker is ready: the owner learned of that through `onDown`. */
  post(message: ToWorker, transfer?: readonly TransferListItem[]): void;
  close(): Promise<void>;
}

export interface SupervisedWorkerOptions<FromWorker> {
  readonly url: URL;
  readonly workerData: unknown;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The worker said that its engine is loaded. */
  onReady(): void;
  onMessage(message: FromWorker): void;
  /** It died; whatever it was doing is lost. A new one is on its way, and `onReady` follows when it works. */
  onDown(wasReady: boolean): void;
}

/** What every worker says first. */
export const workerReady = "ready";

/** A worker that cannot even start will not do better at once; one that worked is replaced without delay. */
const RESTART_DELAY_MS = 1_000;

export function superviseWorker<ToWorker, FromWorker>(
  options: SupervisedWorkerOptions<FromWorker>,
): SupervisedWorker<ToWorker> {
  const { clock, logger } = options;
  let current: { readonly worker: Worker; ready: boolean } | undefined;
  let cancelRestart: CancelTimer | undefined;
  let closed = false;

  const start = (): void => {
    cancelRestart = undefined;
    const started = { worker: new Worker(options.url, { workerData: options.workerData }), ready: false };
    current = started;
    started.worker.on("message", (message: FromWorker | typeof workerReady) => {
      if (closed) return;
      if (message === workerReady) {
        started.ready = true;
        options.onReady();
      } else options.onMessage(message);
    });
    started.worker.on("error", (error) => logger.error({ error }, "speech worker failed"));
    started.worker.on("exit", () => {
      if (closed) return;
      current = undefined;
      cancelRestart = clock.setTimer(started.ready ? 0 : RESTART_DELAY_MS, start);
      options.onDown(started.ready);
    });
  };
  start();

  return {
    post(message, transfer = []) {
      if (current?.ready === true) current.worker.postMessage(message, transfer);
    },
    async close() {
      closed = true;
      cancelRestart?.();
      await current?.worker.terminate();
    },
  };
}
