/**
 * Identifies conversations that have the same future: times are relative to now and turns to the newest, because the
 * machine behaves the same at any time. The key covers all fields of the state, so it need not know about new ones.
 */
import type { World } from "./world.ts";

/** Anything longer ago than this is in the past for every rule that looks back; BARGE-14 looks back furthest, 20 s. */
const longAgoMs = 25_000;
/**
 * Fields that hold times of the session clock; other milliseconds are durations. A missing one here costs exploration
 * time but hides nothing.
 */
const times: ReadonlySet<string> = new Set(
  "nowMs dueMs sinceMs stoppedMs anchorMs endsMs endedMs partialEndedMs speechSinceMs speaksSinceMs lastStoppedMs latestMs".split(
    " ",
  ),
);
const turnId = /^turn-(\d+)$/;

/** A field's name in a key, which is half as long with short ones. */
const names = new Map<string, string>();

function nameOf(field: string): string {
  let name = names.get(field);
  if (name === undefined) names.set(field, (name = `${names.size.toString(36)}:`));
  return name;
}

/** One world is looked up several times in a row. */
let latest: { readonly world: World; readonly key: string } | undefined;

export function worldKey(world: World): string {
  if (latest?.world !== world) latest = { world, key: writeKey(world) };
  return latest.key;
}

function writeKey(world: World): string {
  const { nowMs, turn } = world;
  const write = (field: string, value: unknown): string => {
    if (typeof value === "number")
      return times.has(field) ? String(Math.max(-longAgoMs, value - nowMs)) : String(value);
    if (typeof value === "string") {
      const number = value.startsWith("turn-") ? turnId.exec(value)?.[1] : undefined;
      return number === undefined ? `"${value}"` : `t${turn.turnCount - Number(number)}`;
    }
    if (Array.isArray(value)) return `[${value.map((item: unknown) => write(field, item)).join(",")}]`;
    return isRecord(value) ? writeFields(value) : String(value);
  };
  const writeFields = (record: Readonly<Record<string, unknown>>): string => {
    let text = "{";
    for (const field in record) {
      const value = record[field];
      if (value !== undefined && value !== false && field !== "turnCount")
        text += `${nameOf(field)}${write(field, value)};`;
    }
    return `${text}}`;
  };
  // Timers that fire at different times fire in that order, whichever was set first.
  return writeFields({ ...world, timers: world.timers.toSorted((one, other) => one.dueMs - other.dueMs) });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
