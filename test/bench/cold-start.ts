/**
 * How long a new instance of the functions app takes: to load its entry file, and from the start of the process to its
 * first answer, and the processor time until then, which says more on a busy machine. Each folder is a bundle; they take turns, so that a busy moment meets all of them.
 *
 *   node test/bench/cold-start.ts [rounds] out/functions [another folder ...]
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { z } from "zod";
import { readToolArguments } from "../../local/command-line/tool-arguments.ts";
import { summary } from "./percentiles.ts";

readToolArguments({
  name: "node test/bench/cold-start.ts",
  help: `How long a new instance of the functions app takes to load, and to its first answer.

  node test/bench/cold-start.ts [rounds] out/functions [another folder ...]`,
  allowPositionals: true,
});

const [rounds = "15", ...folders] = process.argv.slice(2);
const measured = z.object({
  loadMs: z.number(),
  answeredAtMs: z.number(),
  processorMs: z.number(),
  status: z.literal(200),
});
const worker = path.join(import.meta.dirname, "cold-start-worker.cjs");
/** App Service sets some forty variables of its own, and repeats every setting of the app with this beginning: its start looks at them all. */
const platforms = Array.from({ length: 100 }, (_, index) => [`APPSETTING_SOME_SETTING_${index}`, "value"]);
const env = { ...Object.fromEntries(platforms), LOG_LEVEL: "error" };
const samples = folders.map((folder) => ({
  folder,
  load: Array<number>(),
  answer: Array<number>(),
  processor: Array<number>(),
}));
for (let round = 0; round < Number(rounds); round++) {
  for (const { folder, load, answer, processor } of samples) {
    const startedAtMs = Date.now();
    const output = execFileSync(process.execPath, [worker, folder], { encoding: "utf8", env });
    const { loadMs, answeredAtMs, processorMs } = measured.parse(JSON.parse(output));
    load.push(loadMs);
    answer.push(answeredAtMs - startedAtMs);
    processor.push(processorMs);
  }
}
for (const { folder, load, answer, processor } of samples) {
  console.log(`${folder}: load ${summary(load, [0, 0.5, 0.9])}`);
  console.log(`${folder}: first answer ${summary(answer, [0, 0.5, 0.9])}`);
  console.log(`${folder}: processor time ${summary(processor, [0, 0.5, 0.9])}`);
}
