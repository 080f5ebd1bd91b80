/** What `npm run chaos` was asked for. */
import { z } from "zod";
import { parseToolArguments } from "../../local/command-line/tool-arguments.ts";
import { scenarios } from "./scenarios.ts";

const names = scenarios.map(({ name }) => name);
/** What no test does with processes. */
const shortScenarios: readonly string[] = ["stream-half-open"];

export const chaosHelp = `Breaks the service in every way it may break while calls are held, and prints what callers noticed. Exit code 1 where a turn
was lost, something was done twice, a call was lost, or the service did not come back.

  npm run chaos                                everything once, which takes 13 minutes
  npm run chaos -- --only host-killed          some of it, named with commas between
  npm run chaos -- --rounds 10                 each of them so often, at other moments of the answer
  npm run chaos -- --kills 1000                one host after the other, with several calls on each: 35 minutes
  npm run chaos -- --kills 1000 --minutes 5    as many as there is time for
  npm run chaos -- --short                     one of them, with fewer turns, in 25 seconds
  npm run chaos -- --json out/chaos.json       the figures in a file, too

What there is:
${scenarios.map(({ name, about }) => `  ${name.padEnd(21)} ${about}`).join("\n")}`;

export interface ChaosPlan {
  readonly only: readonly string[];
  readonly rounds: number;
  /** No more turns than it takes to see harm, and no comparison with a story to which nothing is done. */
  readonly isShort: boolean;
  readonly json: string | undefined;
}

type ChaosArguments =
  | { readonly kind: "run"; readonly plan: ChaosPlan }
  | { readonly kind: "kill"; readonly plan: { readonly kills: number; readonly minutes: number } }
  | { readonly kind: "help" }
  | { readonly kind: "invalid"; readonly message: string };

const config = {
  options: {
    only: { type: "string" },
    rounds: { type: "string", default: "1" },
    kills: { type: "string" },
    minutes: { type: "string", default: "60" },
    short: { type: "boolean", default: false },
    json: { type: "string" },
  },
} as const;

const count = z.coerce.number().int().min(1).max(100_000);

export function parseChaosArguments(argv: readonly string[]): ChaosArguments {
  const parsed = parseToolArguments(argv, { config });
  if (parsed.kind !== "run") return parsed;
  const { only, rounds, kills, minutes, short, json } = parsed.given.values;
  const numbers = z
    .object({ rounds: count, kills: count.optional(), minutes: count })
    .safeParse({ rounds, kills, minutes });
  if (!numbers.success)
    return { kind: "invalid", message: `--${numbers.error.issues[0]?.path.join("")} expects a whole number from 1` };
  const { data } = numbers;
  if (data.kills !== undefined) return { kind: "kill", plan: { kills: data.kills, minutes: data.minutes } };
  const chosen = only?.split(",").map((name) => name.trim());
  const unknown = (chosen ?? []).filter((name) => !names.includes(name));
  if (unknown.length > 0) return { kind: "invalid", message: `--only knows no ${unknown.join(", ")}` };
  const usual = short ? shortScenarios : names;
  return { kind: "run", plan: { only: chosen ?? usual, rounds: data.rounds, isShort: short, json } };
}
