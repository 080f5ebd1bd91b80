/** The inside of a thread of `JobThreads`. */
import { parentPort } from "node:worker_threads";
import { collectStartGarbage } from "@voice/shared/platform/collect-start-garbage";
import { workerReady } from "./supervised-worker.ts";

export interface Job {
  readonly job: number;
  readonly samples: Int16Array;
  /** What is asked about them, where that is not always the same: the thread's own code knows its form. */
  readonly question: unknown;
}

export type JobOutcome<Result> =
  | { readonly type: "done"; readonly job: number; readonly result: Result }
  | { readonly type: "failed"; readonly job: number; readonly reason: string };

/** What loading left behind is collected once, when the thread first has nothing to do for so long: an engine may get jobs that are a part of its start. */
const restMs = 1000;

/** Called once the engine is loaded. */
export function serveJobs<Result>(run: (samples: Int16Array, question: unknown) => Result | Promise<Result>): void {
  const port = parentPort;
  if (port === null) throw new Error("jobs are served in a worker thread");
  const outcomeOf = async ({ job, samples, question }: Job): Promise<JobOutcome<Result>> => {
    try {
      return { type: "done", job, result: await run(samples, question) };
    } catch (error) {
      return { type: "failed", job, reason: error instanceof Error ? error.message : "unknown" };
    }
  };
  port.on("message", (job: Job) => {
    void outcomeOf(job).then((outcome) => port.postMessage(outcome, []));
  });
  const postpone = (): void => void collection.refresh();
  const collection = setTimeout(() => {
    port.off("message", postpone);
    collectStartGarbage();
  }, restMs).unref();
  port.on("message", postpone);
  port.postMessage(workerReady, []);
}
