import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

/** Makes 500 MB of buffers of which none is kept, with a young generation as that of a busy host, and counts the collections of the whole heap. */
const busyHost = `
  import { PerformanceObserver, constants } from "node:perf_hooks";
  import { letBuffersWait } from ${JSON.stringify(new URL("let-buffers-wait.ts", import.meta.url))};
  letBuffersWait();
  let whole = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind !== constants.NODE_PERFORMANCE_GC_MINOR) whole++;
  }).observe({ entryTypes: ["gc"] });
  for (let round = 0; round < 25; round++) {
    for (let made = 0; made < 4000; made++) Buffer.allocUnsafeSlow(5000);
    await new Promise(setImmediate);
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  console.log(whole);
`;

it("marks no heap because of buffers that nobody needs any more", () => {
  const heap = ["--min-semi-space-size=64", "--max-semi-space-size=64", "--initial-old-space-size=256"];
  const counted = execFileSync(process.execPath, [...heap, "--input-type=module", "--eval", busyHost], {
    encoding: "utf8",
  });
  expect(Number(counted)).toBe(0);
});
