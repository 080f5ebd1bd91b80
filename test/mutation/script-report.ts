/** What came of the changes to the scripts of a file. */
import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import { luaChanges } from "./lua-changes.ts";

const result = z.object({
  line: z.number(),
  before: z.string(),
  after: z.string(),
  /** The first test that failed; undefined if none did. */
  noticedBy: z.string().optional(),
});
export type ScriptResult = z.infer<typeof result>;

/** Relative to the root, where the command runs. */
export const resultOf = (name: string): string => `out/mutation/scripts-${name}.json`;

const folder = "shared/src/state/redis";

/** The files that have scripts, without their extension. */
export function filesWithScripts(): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  return names
    .filter((name) => luaChanges(readFileSync(`${folder}/${name}`, "utf8")).length > 0)
    .map((name) => name.slice(0, -".ts".length));
}

export interface Score {
  readonly changes: number;
  readonly noticed: number;
  readonly timeOuts: number;
}

/** Prints what no test has noticed. Undefined if a test failed with nothing changed, or none ran. */
export function reportOf(name: string): Score | undefined {
  const all = z.array(result).parse(JSON.parse(readFileSync(resultOf(name), "utf8")));
  const [first, ...changed] = all;
  const last = changed.pop();
  for (const unchanged of [first, last])
    if (unchanged?.noticedBy !== undefined) {
      console.error(`${name}: with nothing changed, this test failed: ${unchanged.noticedBy}`);
      return undefined;
    }
  for (const { line, before, after, noticedBy } of changed)
    if (noticedBy === undefined) console.log(`${folder}/${name}.ts:${line}\n- ${before}\n+ ${after}\n`);
  const noticed = changed.filter(({ noticedBy }) => noticedBy !== undefined);
  const timeOuts = noticed.filter(({ noticedBy }) => noticedBy?.startsWith(timeOut));
  return { changes: changed.length, noticed: noticed.length, timeOuts: timeOuts.length };
}

/** With what `noticedBy` begins if the test took too long. */
export const timeOut = "time-out: ";
