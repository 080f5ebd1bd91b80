/** A run in figures. Pure. */
import { describeCost } from "@voice/shared/costs/describe-usage";
import { addUsage } from "@voice/shared/costs/usage";
import type { Usage } from "@voice/shared/costs/usage";
import { percentile } from "@voice/shared/platform/percentile";
import type { Baseline } from "./baseline.ts";
import type { SimulatedSession } from "./simulate-session.ts";
import { passPowerK } from "./statistics.ts";
import type { Tally } from "./statistics.ts";

/** The criterion that no model judges. */
export const checksCriterion = "checks";

export interface RunSummary {
  readonly sessions: number;
  /** Held and judged, and not passed. */
  readonly failed: number;
  /** Could not be held to their end, such as because a model failed: neither passed nor failed. */
  readonly notHeld: number;
  /** Held, and the judge gave no verdict: their checks count, their criteria do not. */
  readonly notJudged: number;
  readonly criteria: Baseline["criteria"];
  readonly byPersona: Readonly<Record<string, Tally>>;
  readonly byGoal: Readonly<Record<string, Tally>>;
  /** pass^1, pass^2, …: the mean over the pairs of persona and goal, as far as each has so many sessions. */
  readonly passPowers: readonly number[];
  readonly cost: ReturnType<typeof describeCost>;
  readonly costPerSession: number | null;
  /** The time of the agents' model from a request to its first word. */
  readonly firstWordMs: Percentiles | null;
  /** The time from a caller's last sound to the agent's first; null if the callers typed. */
  readonly firstSoundMs: Percentiles | null;
}

interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

export type SessionResult = "passed" | "failed" | "not-held" | "not-judged";

/** EVAL-3. It has passed with all checks and all criteria. */
export function resultOf({ error, failedChecks, verdicts }: SimulatedSession): SessionResult {
  if (error !== undefined) return "not-held";
  if (verdicts === undefined) return "not-judged";
  return failedChecks.length === 0 && Object.values(verdicts).every(({ passed }) => passed) ? "passed" : "failed";
}

/** The first reason; nothing of a session that has passed. */
export function whyNot({ error, failedChecks, verdicts, noVerdict }: SimulatedSession): string {
  const unmet = Object.entries(verdicts ?? {}).find(([, { passed }]) => !passed);
  const unmetReason = unmet === undefined ? "" : `${unmet[0]}: ${unmet[1].reason}`;
  return error ?? noVerdict ?? failedChecks[0] ?? unmetReason;
}

export function summariseRun(sessions: readonly SimulatedSession[]): RunSummary {
  const held = sessions.filter(({ error }) => error === undefined);
  const judged = held.filter(({ verdicts }) => verdicts !== undefined);
  const usage = sessions.reduce<Usage>((sum, session) => addUsage(sum, session.usage), {});
  const cost = describeCost(usage);
  return {
    sessions: sessions.length,
    failed: sessions.filter((session) => resultOf(session) === "failed").length,
    notHeld: sessions.length - held.length,
    notJudged: held.length - judged.length,
    criteria: criteriaOf(held),
    byPersona: tallies(judged, ({ persona }) => persona.name),
    byGoal: tallies(judged, ({ goal }) => goal.name),
    passPowers: passPowersOf(judged),
    cost,
    costPerSession: cost === null || sessions.length === 0 ? null : cost.amount / sessions.length,
    firstWordMs: percentiles(sessions.flatMap(({ latenciesMs }) => latenciesMs)),
    firstSoundMs: percentiles(sessions.flatMap(({ soundLatenciesMs }) => soundLatenciesMs)),
  };
}

function criteriaOf(held: readonly SimulatedSession[]): Baseline["criteria"] {
  const criteria: Record<string, Tally> = {
    [checksCriterion]: {
      passed: held.filter(({ failedChecks }) => failedChecks.length === 0).length,
      total: held.length,
    },
  };
  for (const { verdicts } of held)
    for (const [name, { passed }] of Object.entries(verdicts ?? {})) criteria[name] = counted(criteria[name], passed);
  return criteria;
}

function tallies(judged: readonly SimulatedSession[], keyOf: (session: SimulatedSession) => string) {
  const groups: Record<string, Tally> = {};
  for (const session of judged)
    groups[keyOf(session)] = counted(groups[keyOf(session)], resultOf(session) === "passed");
  return groups;
}

function counted(tally: Tally = { passed: 0, total: 0 }, passed: boolean): Tally {
  return { passed: tally.passed + (passed ? 1 : 0), total: tally.total + 1 };
}

function passPowersOf(judged: readonly SimulatedSession[]): readonly number[] {
  const groups = Object.values(tallies(judged, ({ persona, goal }) => `${persona.name} ${goal.name}`));
  const fewest = Math.min(...groups.map(({ total }) => total), 8);
  if (groups.length === 0) return [];
  return Array.from({ length: fewest }, (_, index) => {
    const powers = groups.map(({ passed, total }) => passPowerK(passed, total, index + 1) ?? 0);
    return powers.reduce((sum, power) => sum + power, 0) / powers.length;
  });
}

function percentiles(values: readonly number[]): Percentiles | null {
  const [p50, p95] = [percentile(values, 0.5), percentile(values, 0.95)];
  return p50 === undefined || p95 === undefined ? null : { p50, p95 };
}
