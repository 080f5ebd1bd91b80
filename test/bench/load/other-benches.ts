/** What the report shows beside the conversations: programs that print their own figures. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { pinTo } from "./load-process.ts";

export interface OtherBench {
  readonly title: string;
  /** What it printed. */
  readonly text: string;
}

const root = path.join(import.meta.dirname, "../../..");
const bench = (name: string): string => path.join(root, "test/bench", name);

/** `folder`: where the functions app is built, since a new instance loads what is deployed. */
export function runOtherBenches(folder: string): OtherBench[] {
  pinTo("all", process.pid); // what is started from here on may use the whole machine
  run([path.join(root, "local/package/package-cli.ts"), "functions", "--out", folder]);
  const built = path.relative(root, path.join(root, folder, "functions"));
  return [
    { title: "HTTP requests", text: run([bench("functions.ts"), "2"]) },
    { title: "A new instance of the functions app", text: run([bench("cold-start.ts"), "7", built]) },
    { title: "Redis", text: run([bench("redis-turns.ts")]) },
  ];
}

/** One that fails says so in the report: the other figures took half an hour. */
function run([file = "", ...args]: readonly string[]): string {
  process.stderr.write(`${path.relative(root, file)} ${args.join(" ")}\n`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...process.execArgv, file, ...args], {
    cwd: root,
    encoding: "utf8",
  });
  return status === 0 ? stdout.trim() : `failed: ${stderr.trim().split("\n").at(-1) ?? ""}`;
}
