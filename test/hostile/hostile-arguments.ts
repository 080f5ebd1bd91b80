/** What `npm run hostile` was asked for. */
import { z } from "zod";
import { parseToolArguments } from "../../local/command-line/tool-arguments.ts";
import { attackKinds, fullSize, shortSize, type AttackKind, type SuitePlan } from "./suite-plan.ts";

export const hostileHelp = `Attacks a service of its own on this machine and prints what came of it. Exit code 1 where something gave way.

  npm run hostile                               everything, which takes minutes
  npm run hostile -- --short                    a little of everything, in 20 seconds
  npm run hostile -- --kind sockets,agents      some of it: ${attackKinds.join(", ")}
  npm run hostile -- --rounds 4                 the same four times on one service: whether memory is given back
  npm run hostile -- --snapshots out/heaps      and what is in memory before and after each round, for the memory panel of Chromium
  npm run hostile -- --memory                   the service keeps its state in its own memory, not in a Redis`;

type HostileArguments =
  | { readonly kind: "run"; readonly plan: SuitePlan }
  | { readonly kind: "help" }
  | { readonly kind: "invalid"; readonly message: string };

const config = {
  options: {
    short: { type: "boolean", default: false },
    kind: { type: "string", default: attackKinds.join(",") },
    rounds: { type: "string", default: "1" },
    snapshots: { type: "string" },
    memory: { type: "boolean", default: false },
  },
} as const;

const rounds = z.coerce.number().int().min(1).max(100);

export function parseHostileArguments(argv: readonly string[], hasRedis: () => boolean): HostileArguments {
  const parsed = parseToolArguments(argv, { config });
  if (parsed.kind !== "run") return parsed;
  const { short, kind, snapshots, memory, rounds: asked } = parsed.given.values;
  const count = rounds.safeParse(asked);
  if (!count.success) return { kind: "invalid", message: "--rounds expects a number from 1 to 100" };
  const kinds = kind.split(",").map((name) => name.trim());
  const unknown = kinds.filter((name) => !isKind(name));
  if (unknown.length > 0)
    return { kind: "invalid", message: `--kind knows no ${unknown.join(", ")}, but ${attackKinds.join(", ")}` };
  return {
    kind: "run",
    plan: {
      size: short ? shortSize : fullSize,
      kinds: kinds.filter(isKind),
      rounds: count.data,
      onRedis: !memory && hasRedis(),
      snapshots,
    },
  };
}

function isKind(name: string): name is AttackKind {
  return attackKinds.some((kind) => kind === name);
}
