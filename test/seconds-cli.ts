/**
 * `node local/on-node.cjs node test/seconds-cli.ts REPORT...`: writes how long each test file took into `seconds.json`, from what
 * `run-report.ts` has written of whole runs on two cores.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { z } from "zod";

/** There are hundreds of unit tests, and one that takes less is in nobody's way, wherever it begins. */
const fewestSecondsOfUnitTests = 2;
const report = z.object({ fileMs: z.record(z.string(), z.number()) });

const root = new URL("..", import.meta.url).pathname;
const takes = process.argv
  .slice(2)
  .flatMap((path) => Object.entries(report.parse(JSON.parse(readFileSync(path, "utf8"))).fileMs))
  .map(([name, ms]): [string, number] => [relative(root, name), Math.round(ms / 1000)])
  .filter(([path, seconds]) => path.startsWith("test/") || seconds >= fewestSecondsOfUnitTests)
  .toSorted(([one, oneSeconds], [other, otherSeconds]) => otherSeconds - oneSeconds || one.localeCompare(other));
if (takes.length === 0) throw new Error("no report has a test file that takes long: name the reports of whole runs");
writeFileSync(new URL("seconds.json", import.meta.url), `${JSON.stringify(Object.fromEntries(takes), undefined, 2)}\n`);
