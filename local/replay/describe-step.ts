/** One decision of the turn machine, as lines that a person reads. */
import type { EffectJson } from "@voice/streaming-host/session/flight/flight-segment";
import type { ReplayedStep } from "@voice/streaming-host/session/flight/replay-flight";

/** `hh:mm:ss.mmm`, UTC. */
function timeOf(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(11, 23);
}

/** Names and values, without those that are not there. */
function detailsOf(values: object): string {
  return Object.entries(values)
    .filter(([name, value]) => name !== "type" && name !== "atMs" && value !== undefined)
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .join(" ");
}

function valueText(value: unknown): string {
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

function decisions(mark: string, effects: readonly EffectJson[]): string[] {
  if (effects.length === 0) return [`    ${mark} nothing`];
  const cleared = effects.filter(({ type }) => type === "clear-timer").map(({ timer }) => String(timer));
  const lines = effects.filter(({ type }) => type !== "clear-timer").map(line);
  // Most are cleared to be sure, and had not been set.
  if (cleared.length > 0) lines.push(`clear-timer ${[...new Set(cleared)].join(", ")}`);
  return lines.map((text) => `    ${mark} ${text}`);
}

/** Where it would be decided differently now, both are shown: `-` for then, `+` for today. */
export function describeStep({ wallMs, event, recorded, today, isSame, followsDifference }: ReplayedStep): string[] {
  const met = `${timeOf(wallMs)}  ${line(event)}`;
  if (isSame) return [met, ...(recorded.length === 0 ? [] : decisions("→", recorded))];
  const why = followsDifference ? "different now, perhaps because of a difference before it" : "different now";
  return [`${met}   (${why})`, ...decisions("-", recorded), ...decisions("+", today)];
}
