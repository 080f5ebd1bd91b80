/** Usage and costs in the API's format. */
import type { costField, usageItem } from "../contracts/http/costs.ts";
import type { z } from "zod";
import { totalCost, usageEntries } from "./usage.ts";
import type { Usage } from "./usage.ts";

export function describeUsage(usage: Usage): z.infer<typeof usageItem>[] {
  return usageEntries(usage).map(({ part, model, agent, quantities, cost, unpriced, estimated }) => ({
    part,
    model,
    agent,
    quantities: Object.fromEntries(Object.entries(quantities).map(([unit, amount]) => [unit, rounded(amount, 1000)])),
    cost: cost === undefined ? null : { ...roundedCost(cost), is_complete: unpriced === 0 },
    is_estimated: estimated > 0,
  }));
}

export function describeCost(usage: Usage): z.infer<typeof costField> {
  const { cost, isComplete } = totalCost(usage);
  return cost === undefined ? null : { ...roundedCost(cost), is_complete: isComplete };
}

/** A token costs a millionth of a unit of currency or less, and a turn some thousandths. */
function roundedCost<Cost extends { readonly amount: number }>(cost: Cost): Cost {
  return { ...cost, amount: rounded(cost.amount, 1e8) };
}

function rounded(value: number, perUnit: number): number {
  return Math.round(value * perUnit) / perUnit;
}
