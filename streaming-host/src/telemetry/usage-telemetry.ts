import { usageEntries, usageUnits } from "@voice/shared/costs/usage";
import type { Usage, UsageUnit } from "@voice/shared/costs/usage";
import type { MetricOf } from "@voice/shared/telemetry/metrics";
import type { Attributes, Telemetry } from "@voice/shared/telemetry/telemetry";

const tokenSuffix = "_tokens";

export function reportUsage(telemetry: Telemetry, usage: Usage, conversation: Attributes): void {
  for (const { part, model, agent, quantities, cost, unpriced } of usageEntries(usage)) {
    const by = { ...conversation, agent, part, model };
    for (const unit of usageUnits) {
      const amount = quantities[unit];
      if (amount === undefined) continue;
      const type = unit.endsWith(tokenSuffix) ? { type: unit.slice(0, -tokenSuffix.length) } : {};
      telemetry.count(metricOf(unit), { ...by, ...type }, amount);
    }
    if (cost !== undefined) telemetry.count("voice.cost", { ...by, currency: cost.currency }, cost.amount);
    if (unpriced > 0) telemetry.count("voice.cost.unpriced", by, unpriced);
  }
}

function metricOf(unit: UsageUnit): MetricOf<"counter"> {
  if (unit === "audio_seconds") return "voice.usage.audio";
  if (unit === "characters") return "voice.usage.characters";
  return unit === "call_seconds" ? "voice.usage.calls" : "voice.usage.tokens";
}
