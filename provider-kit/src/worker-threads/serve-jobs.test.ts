import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** A thread that has loaded something large, of which it needs nothing more. */
const thread = `
  import v8 from "node:v8";
  import { parentPort } from "node:worker_threads";
  import { serveJobs } from ${JSON.stringify(new URL("serve-jobs.ts", import.meta.url))};
  let loaded = Array.from({ length: 400_000 }, (_, at) => ({ at, list: [at] }));
  loaded = undefined;
  serveJobs(() => v8.getHeapStatistics().total_physical_size / 1024 / 1024);
`;
const script = `
  import { Worker } from "node:worker_threads";
  const worker = new Worker(new URL("data:text/javascript," + encodeURIComponent(${JSON.stringify(thread)})), { execArgv: [] });
  worker.on("message", (message) => {
    if (message === "ready") return worker.postMessage({ job: 1, samples: new Int16Array(), question: undefined });
    console.log(message.result);
    void worker.terminate();
  });
`;

it("gives back what loading left behind before the first job, where the process lets it", async () => {
  const heapMb = async (flags: readonly string[]): Promise<number> => {
    const args = [...flags, "--initial-old-space-size=256", "--input-type=module", "--eval", script];
    return Number((await promisify(execFile)(process.execPath, args)).stdout);
  };
  expect(await heapMb([])).toBeGreaterThan(30);
  expect(await heapMb(["--expose-gc"])).toBeLessThan(20);
});
