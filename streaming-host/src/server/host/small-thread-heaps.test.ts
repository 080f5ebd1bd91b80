import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** Makes young objects for a while, then says how many MB V8 has for them. */
const fill = `
  const held = [];
  for (let at = 0; at < 1_000_000; at++) held[at % 20_000] = { at, list: [at] };
  const { space_size } = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  const youngMb = space_size / 1024 / 1024;
`;
const script = `
  import v8 from "node:v8";
  import { Worker } from "node:worker_threads";
  import { keepThreadHeapsSmall } from ${JSON.stringify(new URL("small-thread-heaps.ts", import.meta.url))};
  keepThreadHeapsSmall();
  const worker = new Worker(\`const v8 = require("node:v8"); ${fill} require("node:worker_threads").parentPort.postMessage(youngMb)\`, { eval: true, execArgv: [] });
  worker.on("message", (inThread) => {
    ${fill}
    console.log(JSON.stringify({ inThread, onMainThread: youngMb }));
  });
`;

it("leaves the host its young generation, and gives its threads a small one", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--max-semi-space-size=16",
    "--input-type=module",
    "--eval",
    script,
  ]);
  expect(JSON.parse(stdout)).toEqual({ inThread: 4, onMainThread: 32 });
});
