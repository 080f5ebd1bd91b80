/**
 * A worker thread that is replaced when it dies; its owner is notified of both. Speech engines are C code compiled to WebAssembly, and a
 * trap in one of them must fail only the requests that it was serving.
 */
import { Worker } from "node:worker_threads";
import type { TransferListItem } from "node:worker_threads";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";

export interface SupervisedWorker<ToWorker> {
  /** Messages are dropped while no worker is ready, of which the owner was notified by `onDown`. */
  post(message: ToWorker, transfer?: readonly TransferListItem[]): void;
  close(): Promise<void>;
}

export interface SupervisedWorkerOptions<FromWorker> {
  readonly url: URL;
  readonly workerData: unknown;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The worker has loaded its engine. */
  onReady(): void;
  onMessage(message: FromWorker): void;
  /** The worker died and its work is lost. A new one is being started; `onReady` follows. */
  onDown(wasReady: boolean): void;
}

/** The first message from every worker. */
export const workerReady = "ready";

/** A worker that failed to start would fail again at once, so the next attempt is delayed; one that had worked is replaced immediately. */
const restartDelayMs = 1_000;

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
    started.worker.on("error", (error) => logger.error({ error }, "a worker thread failed"));
    started.worker.on("exit", () => {
      if (closed) return;
      current = undefined;
      cancelRestart = clock.setTimer(started.ready ? 0 : restartDelayMs, start);
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
