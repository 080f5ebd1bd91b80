/** Costs and quantities as people read them. */
import type { Cost, SessionCosts } from "../api/costs-api.ts";

type UsageItem = SessionCosts["usage"][number];

/** A turn costs a fraction of a cent, so two digits would show nothing. */
export function costInWords({ amount, currency, is_complete: isComplete }: Cost): string {
  const digits = amount >= 1 || amount === 0 ? 2 : 4;
  const text = new Intl.NumberFormat(undefined, {
    style: "currency",
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  }).format(amount);
  const smallest = amount > 0 && amount < 0.000_05;
  const shown = smallest ? `under ${text.replace(/[\d.,]+/, "0.0001")}` : text;
  return isComplete ? shown : `${shown} and more`;
}

export interface CostRow {
  readonly title: string;
  readonly amounts: string;
  readonly cost: string;
  readonly isEstimated: boolean;
}

const partNames: Readonly<Record<string, string>> = {
  language_model: "Language model",
  realtime_model: "Realtime model",
  recognition: "Recognition",
  synthesis: "Synthesis",
  telephony: "Telephone",
};

/** A row for each part and model, whichever agents used it. */
export function costRows(usage: readonly UsageItem[]): readonly CostRow[] {
  const groups = grouped(usage, ({ part, model }) => `${partNames[part] ?? part}, ${model}`);
  return [...groups].map(([title, items]) => {
    const quantities: Record<string, number> = {};
    for (const item of items)
      for (const [unit, amount] of Object.entries(item.quantities)) quantities[unit] = (quantities[unit] ?? 0) + amount;
    return {
      title,
      amounts: quantitiesInWords(quantities),
      cost: sumInWords(items),
      isEstimated: items.some(({ is_estimated: isEstimated }) => isEstimated),
    };
  });
}

/** Agents in the order in which they first used something. */
export function costByAgent(usage: readonly UsageItem[]): readonly { readonly agent: string; readonly cost: string }[] {
  return [...grouped(usage, ({ agent }) => agent)].map(([agent, items]) => ({ agent, cost: sumInWords(items) }));
}

function grouped(usage: readonly UsageItem[], keyOf: (item: UsageItem) => string): Map<string, UsageItem[]> {
  const groups = new Map<string, UsageItem[]>();
  for (const item of usage) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function sumInWords(items: readonly UsageItem[]): string {
  const priced = items.flatMap(({ cost }) => cost ?? []);
  const [first] = priced;
  if (first === undefined || priced.some(({ currency }) => currency !== first.currency)) return "not priced";
  const amount = priced.reduce((sum, cost) => sum + cost.amount, 0);
  const isComplete = priced.length === items.length && priced.every(({ is_complete: whole }) => whole);
  return costInWords({ amount, currency: first.currency, is_complete: isComplete });
}

function quantitiesInWords(quantities: Readonly<Record<string, number>>): string {
  const { audio_seconds: audio, call_seconds: call, ...others } = quantities;
  const times = [
    ...(audio === undefined ? [] : [`${inTime(audio)} of audio`]),
    ...(call === undefined ? [] : [inTime(call)]),
  ];
  const counts = Object.entries(others).map(
    ([unit, amount]) => `${Math.round(amount).toLocaleString()} ${unit.replaceAll("_", " ")}`,
  );
  return [...counts, ...times].join(", ");
}

function inTime(seconds: number): string {
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(1)} min`;
}
