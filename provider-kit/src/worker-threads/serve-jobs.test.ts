import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** A thread that has loaded something large, of which it needs nothing more. */
const thread = `
  import { serveJobs } from ${JSON.stringify(new URL("serve-jobs.ts", import.meta.url))};
  let loaded = Array.from({ length: 400_000 }, (_, at) => ({ at, list: [at] }));
  loaded = undefined;
  serveJobs(() => "done");
`;
/** Prints how many MB its heap has once it has done a job, and once it has given some back. */
const script = `
  import { Worker } from "node:worker_threads";
  import { setTimeout as pause } from "node:timers/promises";
  const worker = new Worker(new URL("data:text/javascript," + encodeURIComponent(${JSON.stringify(thread)})), { execArgv: [] });
  worker.on("message", async (message) => {
    if (message === "ready") return worker.postMessage({ job: 1, samples: new Int16Array(), question: undefined });
    const heapMb = async () => (await worker.getHeapStatistics()).total_physical_size / 1024 / 1024;
    const before = await heapMb();
    let after = before;
    while (after > before / 2) {
      await pause(100);
      after = await heapMb();
    }
    console.log(JSON.stringify({ before, after }));
    void worker.terminate();
  });
`;

it("gives back what loading left behind when it first has nothing to do", async () => {
  const flags = ["--expose-gc", "--initial-old-space-size=256", "--input-type=module", "--eval"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script]);
  const { before, after }: { before: number; after: number } = JSON.parse(stdout);
  expect(before).toBeGreaterThan(30);
  expect(after).toBeLessThan(15);
});
