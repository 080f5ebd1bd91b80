/** What `npm run chaos` was asked for. */
import { z } from "zod";
import { namesOf, wholeNumber } from "../../local/command-line/option-kinds.ts";
import { parseToolArguments } from "../../local/command-line/tool-arguments.ts";
import type { Mistake } from "../../local/command-line/tool-arguments.ts";
import { scenarios } from "./scenarios.ts";

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
  | Mistake;

const count = wholeNumber(1, 100_000);

const options = {
  only: namesOf(scenarios.map(({ name }) => name)).optional(),
  rounds: count.default(1),
  kills: count.optional(),
  minutes: count.default(60),
  short: z.boolean().default(false),
  json: z.string().optional(),
};

export function parseChaosArguments(argv: readonly string[]): ChaosArguments {
  const parsed = parseToolArguments(argv, { options });
  if (parsed.kind !== "run") return parsed;
  const { only, rounds, kills, minutes, short, json } = parsed.values;
  if (kills !== undefined) return { kind: "kill", plan: { kills, minutes } };
  const usual = short ? shortScenarios : scenarios.map(({ name }) => name);
  return { kind: "run", plan: { only: only ?? usual, rounds, isShort: short, json } };
}
