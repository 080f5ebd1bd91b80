/** Holds the planned sessions, a limited number at a time, and begins none once the budget is spent. */
import { totalCost } from "@voice/shared/costs/usage";
import { inParallel } from "../dialogues/in-parallel.ts";
import type { PlannedSession, SimulatedSession } from "./simulate-session.ts";

export interface SimulationLimits {
  readonly parallel: number;
  readonly maxCost: number | undefined;
}

export interface SimulationRun {
  /** In the order of the plan. */
  readonly sessions: readonly SimulatedSession[];
  /** Why not all of the plan was held. */
  readonly stopped: Stop | undefined;
}

export interface Stop {
  readonly kind: "budget-spent" | "price-missing";
  readonly message: string;
}

export async function runSimulation(
  plan: readonly PlannedSession[],
  { parallel, maxCost }: SimulationLimits,
  simulate: (session: PlannedSession) => Promise<SimulatedSession>,
  onHeld: (session: SimulatedSession) => void,
): Promise<SimulationRun> {
  const sessions: SimulatedSession[] = [];
  let spent = 0;
  let stopped: Stop | undefined;
  await inParallel(plan, parallel, async (planned) => {
    if (stopped !== undefined) return;
    const session = await simulate(planned);
    sessions.push(session);
    onHeld(session);
    const { cost, isComplete } = totalCost(session.usage);
    spent += cost?.amount ?? 0;
    if (maxCost === undefined) return;
    if (!isComplete)
      stopped = {
        kind: "price-missing",
        message: "--max-cost cannot be kept: a model that was used has no price in PRICES_FILE",
      };
    else if (spent >= maxCost)
      stopped = { kind: "budget-spent", message: `--max-cost ${maxCost} is reached: ${spent.toFixed(4)} spent` };
  });
  return { sessions: sessions.toSorted((left, right) => left.number - right.number), stopped };
}
