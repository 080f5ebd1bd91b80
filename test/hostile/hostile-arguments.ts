/** What `npm run hostile` was asked for. */
import { z } from "zod";
import { namesOf, wholeNumber } from "../../local/command-line/option-kinds.ts";
import { parseToolArguments } from "../../local/command-line/tool-arguments.ts";
import type { Mistake } from "../../local/command-line/tool-arguments.ts";
import { attackKinds, fullSize, shortSize, type SuitePlan } from "./suite-plan.ts";

export const hostileHelp = `Attacks a service of its own on this machine and prints what came of it. Exit code 1 where something gave way.

  npm run hostile                               everything, which takes minutes
  npm run hostile -- --short                    a little of everything, in 20 seconds
  npm run hostile -- --kind sockets,agents      some of it: ${attackKinds.join(", ")}
  npm run hostile -- --rounds 4                 the same four times on one service: whether memory is given back
  npm run hostile -- --snapshots out/heaps      and what is in memory before and after each round, for the memory panel of Chromium
  npm run hostile -- --memory                   the service keeps its state in its own memory, not in a Redis`;

type HostileArguments = { readonly kind: "run"; readonly plan: SuitePlan } | { readonly kind: "help" } | Mistake;

const options = {
  short: z.boolean().default(false),
  kind: namesOf(attackKinds).default(attackKinds),
  rounds: wholeNumber(1, 100).default(1),
  snapshots: z.string().optional(),
  memory: z.boolean().default(false),
};

export function parseHostileArguments(argv: readonly string[], hasRedis: () => boolean): HostileArguments {
  const parsed = parseToolArguments(argv, { options });
  if (parsed.kind !== "run") return parsed;
  const { short, kind: kinds, snapshots, memory, rounds } = parsed.values;
  const size = short ? shortSize : fullSize;
  return { kind: "run", plan: { size, kinds, rounds, onRedis: !memory && hasRedis(), snapshots } };
}
