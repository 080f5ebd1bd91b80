/** Formats one decision of the turn machine as readable lines. */
import { oneLine } from "@voice/shared/platform/one-line";
import type { EffectJson } from "./flight-segment.ts";
import type { ReplayedStep } from "./replay-flight.ts";

/** `hh:mm:ss.mmm`, UTC. */
export function timeOf(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(11, 23);
}

/** Names and values, without undefined ones. */
function detailsOf(values: object): string {
  return Object.entries(values)
    .filter(([name, value]) => name !== "type" && name !== "atMs" && value !== undefined)
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .join(" ");
}

function valueText(value: unknown): string {
  return typeof value === "string" ? oneLine(value) : JSON.stringify(value, (_, part: unknown) => rounded(part));
}

/** Milliseconds to a tenth and probabilities to a hundredth, which is precise enough to understand decisions. */
function rounded(value: unknown): unknown {
  if (typeof value !== "number") return value;
  return Number.isFinite(value) ? Number(value.toFixed(value < 1 ? 2 : 1)) : String(value);
}

function line(values: { readonly type: string }): string {
  const details = detailsOf(values);
  return details === "" ? values.type : `${values.type} ${details}`;
}

/** One line for each effect, but a single one for all timers that are stopped; most that are cleared did not run. */
function describeEffects(effects: readonly EffectJson[], stopped: readonly string[]): string[] {
  const lines = effects.filter(({ type }) => type !== "clear-timer").map(line);
  return stopped.length === 0 ? lines : [...lines, `clear-timer ${stopped.join(", ")}`];
}

function decisions(mark: string, effects: readonly EffectJson[], stopped: readonly string[]): string[] {
  const lines = describeEffects(effects, stopped);
  return (lines.length === 0 ? ["nothing"] : lines).map((text) => `    ${mark} ${text}`);
}

/** If today's decision differs, both are shown: `-` for the recorded one, `+` for today's. */
export function describeStep(step: ReplayedStep): string[] {
  const { wallMs, event, recorded, today, stoppedThen, stoppedToday, isSame, followsDifference } = step;
  const met = `${timeOf(wallMs)}  ${line(event)}`;
  if (isSame) return [met, ...describeEffects(recorded, stoppedThen).map((text) => `    → ${text}`)];
  const why = followsDifference ? "different now, perhaps because of a difference before it" : "different now";
  return [`${met}   (${why})`, ...decisions("-", recorded, stoppedThen), ...decisions("+", today, stoppedToday)];
}
