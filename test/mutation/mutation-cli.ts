/** `npm run mutation -- SET`: changes the code in small ways, and says which changes no test beside it notices (docs/benchmarks.md). */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const inHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const program = inHere("node_modules/@stryker-mutator/core/bin/stryker.js");

if (!existsSync(program)) {
  console.error(
    "The mutation tester is not installed: npm ci --prefix test/mutation --legacy-peer-deps --ignore-scripts",
  );
  process.exit(2);
}
const env = { ...process.env, MUTATION_SET: process.argv[2] ?? "" };
const { status } = spawnSync(process.execPath, [program, "run", inHere("stryker.config.mjs")], {
  stdio: "inherit",
  env,
});
process.exitCode = status ?? 1;
