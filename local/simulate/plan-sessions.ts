/** Which sessions are held: personas and goals in turn, so that each pair occurs about equally often. Pure. */
import type { Goal, Persona } from "./eval-files.ts";
import type { PlannedSession } from "./simulate-session.ts";

/** Without a seed every caller is the demonstration's usual customer; with one, made-up customers that it determines. */
export function planSessions(
  personas: readonly Persona[],
  goals: readonly Goal[],
  count: number,
  seed: number | undefined,
): readonly PlannedSession[] {
  const pairs = goals.flatMap((goal) => personas.map((persona) => ({ goal, persona })));
  return Array.from({ length: count }, (_, number) => number).flatMap((number) => {
    const pair = pairs[number % pairs.length];
    return pair === undefined ? [] : [{ ...pair, number, profileSeed: seed === undefined ? undefined : seed + number }];
  });
}
