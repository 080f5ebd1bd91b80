/**
 * `npm run mutation -- SET …`: changes the code in small ways, and says which changes no test beside it notices (docs/benchmarks.md). Further
 * arguments are the mutation tester's own, or for the set `scripts` the files of scripts that are changed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { filesWithScripts, reportOf, resultOf, type Score } from "./script-report.ts";

const inHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const [set = "", ...further] = process.argv.slice(2);
process.exitCode = set === "scripts" ? changeScripts(further) : changeCode();

function changeCode(): number {
  const program = inHere("node_modules/@stryker-mutator/core/bin/stryker.js");
  if (!existsSync(program)) {
    console.error(
      "The mutation tester is not installed: npm ci --prefix test/mutation --legacy-peer-deps --ignore-scripts",
    );
    return 2;
  }
  return run([program, "run", inHere("stryker.config.mjs"), ...further], { MUTATION_SET: set });
}

/** A process for each file, because each change loads the state anew. */
function changeScripts(names: readonly string[]): number {
  const vitest = inHere("../../node_modules/vitest/vitest.mjs");
  const scores: Score[] = [];
  for (const name of names.length > 0 ? names : filesWithScripts()) {
    rmSync(resultOf(name), { force: true });
    // Its status says whether tests have failed, which they are to do.
    run([vitest, "run", "--config", inHere("scripts.config.ts")], { MUTATION_SCRIPTS: name });
    const score = existsSync(resultOf(name)) ? reportOf(name) : undefined;
    if (score === undefined) return 1;
    console.log(`${name}: ${describeScore(score)}`);
    scores.push(score);
  }
  const sumOf = (part: keyof Score): number => scores.reduce((sum, score) => sum + score[part], 0);
  const total = { changes: sumOf("changes"), noticed: sumOf("noticed"), timeOuts: sumOf("timeOuts") };
  console.log(`all: ${describeScore(total)}`);
  return 0;
}

function describeScore({ changes, noticed, timeOuts }: Score): string {
  const percent = ((100 * noticed) / changes).toFixed(1);
  return `${noticed} of ${changes} changes noticed (${percent} %), ${timeOuts} of them by a time-out`;
}

function run(args: readonly string[], env: Readonly<Record<string, string>>): number {
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env: { ...process.env, ...env } });
  return status ?? 1;
}
