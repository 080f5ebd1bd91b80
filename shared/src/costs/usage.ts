/**
 * What a conversation has used of services that are charged for, as counts by kind. Counts are only ever added, so hosts that serve a
 * conversation one after another, or by mistake at the same time, never overwrite each other's (COST-7).
 */
import { z } from "zod";
import type { Stored } from "../state/stored-json.ts";

export const billedParts = ["language_model", "realtime_model", "recognition", "synthesis", "telephony"] as const;
export type BilledPart = (typeof billedParts)[number];

/**
 * Of tokens, as vendors report them: cached and audio tokens are among the input tokens, cached audio tokens among
 * both, audio and reasoning tokens among the output tokens.
 */
export const usageUnits = [
  "input_tokens",
  "cached_tokens",
  "audio_input_tokens",
  "cached_audio_tokens",
  "output_tokens",
  "audio_output_tokens",
  "reasoning_tokens",
  "audio_seconds",
  "characters",
  "call_seconds",
] as const;
export type UsageUnit = (typeof usageUnits)[number];

export type Quantities = Readonly<Partial<Record<UsageUnit, number>>>;

/** What was used, by which agent. */
export interface BilledUse {
  readonly part: BilledPart;
  /** Its name in the price file. */
  readonly model: string;
  readonly agent: string;
}

/**
 * Beside the quantities: `cost:USD` (or another currency), `unpriced` (uses without a price) and `estimated` (uses that
 * the service has not counted). Keys are `part|model|agent`.
 */
export const usage = z.record(z.string(), z.record(z.string(), z.number()));
export type Usage = Stored<typeof usage>;

const costPrefix = "cost:";

export const unpricedCount = "unpriced";
export const estimatedCount = "estimated";

export function costIn(currency: string): string {
  return `${costPrefix}${currency}`;
}

export function usageKey({ part, model, agent }: BilledUse): string {
  return `${part}|${model.replaceAll("|", "/")}|${agent}`;
}

export function addUsage(left: Usage, right: Usage): Usage {
  const sum: Record<string, Record<string, number>> = {};
  for (const one of [left, right])
    for (const [key, amounts] of Object.entries(one)) {
      const into = (sum[key] ??= {});
      for (const [unit, amount] of Object.entries(amounts)) into[unit] = (into[unit] ?? 0) + amount;
    }
  return sum;
}

export interface Cost {
  readonly amount: number;
  readonly currency: string;
}

export interface UsageEntry extends BilledUse {
  readonly quantities: Quantities;
  /** Undefined if nothing of it has a price. */
  readonly cost: Cost | undefined;
  /** Uses without a price: if there are any, the cost is incomplete. */
  readonly unpriced: number;
  readonly estimated: number;
}

export function usageEntries(usage: Usage): readonly UsageEntry[] {
  return Object.entries(usage).flatMap(([key, amounts]) => {
    const [first = "", model = "", agent = ""] = key.split("|");
    const part = billedParts.find((known) => known === first);
    if (part === undefined) return [];
    const quantities = Object.fromEntries(
      usageUnits.flatMap((unit) => (amounts[unit] === undefined ? [] : [[unit, amounts[unit]]])),
    );
    const { [unpricedCount]: unpriced = 0, [estimatedCount]: estimated = 0 } = amounts;
    return [{ part, model, agent, quantities, cost: onlyCostOf(amounts), unpriced, estimated }];
  });
}

export interface TotalCost {
  /** Undefined if nothing has a price, or if prices are in several currencies. */
  readonly cost: Cost | undefined;
  /** False if something that was used has no price. */
  readonly isComplete: boolean;
}

export function totalCost(usage: Usage): TotalCost {
  const all: Record<string, number> = {};
  let unpriced = 0;
  for (const amounts of Object.values(usage)) {
    unpriced += amounts[unpricedCount] ?? 0;
    for (const [name, amount] of Object.entries(amounts))
      if (name.startsWith(costPrefix)) all[name] = (all[name] ?? 0) + amount;
  }
  const cost = onlyCostOf(all);
  return { cost, isComplete: unpriced === 0 && Object.keys(all).length <= 1 };
}

/** Amounts in two currencies cannot be added. */
function onlyCostOf(amounts: Readonly<Record<string, number>>): Cost | undefined {
  const [first, ...others] = Object.keys(amounts).filter((name) => name.startsWith(costPrefix));
  if (first === undefined || others.length > 0) return undefined;
  return { amount: amounts[first] ?? 0, currency: first.slice(costPrefix.length) };
}
