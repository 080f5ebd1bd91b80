/** One decision of the turn machine, as lines that a person reads. */
import type { EffectJson } from "./flight-segment.ts";
import type { ReplayedStep } from "./replay-flight.ts";

/** `hh:mm:ss.mmm`, UTC. */
export function timeOf(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(11, 23);
}

/** Names and values, without those that are not there. */
export function detailsOf(values: object): string {
  return Object.entries(values)
    .filter(([name, value]) => name !== "type" && name !== "atMs" && value !== undefined)
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .join(" ");
}

export function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, (_, part: unknown) => rounded(part));
}

/** Milliseconds to a tenth, probabilities to a hundredth: what decides anything. */
function rounded(value: unknown): unknown {
  if (typeof value !== "number") return value;
  return Number.isFinite(value) ? Number(value.toFixed(value < 1 ? 2 : 1)) : String(value);
}

function line(values: { readonly type: string }): string {
  const details = detailsOf(values);
  return details === "" ? values.type : `${values.type} ${details}`;
}

/** One line for each, and one for all timers that are cleared: most are to be sure, and had not been set. */
export function describeEffects(effects: readonly EffectJson[]): string[] {
  const cleared = effects.filter(({ type }) => type === "clear-timer").map(({ timer }) => String(timer));
  const lines = effects.filter(({ type }) => type !== "clear-timer").map(line);
  if (cleared.length > 0) lines.push(`clear-timer ${[...new Set(cleared)].join(", ")}`);
  return lines.length === 0 ? ["nothing"] : lines;
}

function decisions(mark: string, effects: readonly EffectJson[]): string[] {
  return describeEffects(effects).map((text) => `    ${mark} ${text}`);
}

/** Where it would be decided differently now, both are shown: `-` for then, `+` for today. */
export function describeStep({ wallMs, event, recorded, today, isSame, followsDifference }: ReplayedStep): string[] {
  const met = `${timeOf(wallMs)}  ${line(event)}`;
  if (isSame) return [met, ...(recorded.length === 0 ? [] : decisions("→", recorded))];
  const why = followsDifference ? "different now, perhaps because of a difference before it" : "different now";
  return [`${met}   (${why})`, ...decisions("-", recorded), ...decisions("+", today)];
}
