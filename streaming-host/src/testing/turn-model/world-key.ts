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

const keys = new WeakMap<World, string>();

export function worldKey(world: World): string {
  let key = keys.get(world);
  if (key === undefined) keys.set(world, (key = writeKey(world)));
  return key;
}

function writeKey(world: World): string {
  const { nowMs, turn } = world;
  const write = (name: string, value: unknown): string => {
    if (typeof value === "number") return times.has(name) ? String(Math.max(-longAgoMs, value - nowMs)) : String(value);
    if (typeof value === "string") {
      const number = turnId.exec(value)?.[1];
      return number === undefined ? `"${value}"` : `t${turn.turnCount - Number(number)}`;
    }
    if (Array.isArray(value)) return `[${value.map((item: unknown) => write(name, item)).join(",")}]`;
    if (typeof value !== "object" || value === null) return String(value);
    let text = "{";
    for (const [key, item] of Object.entries(value))
      if (item !== undefined && item !== false && key !== "turnCount") text += `${key}:${write(key, item)};`;
    return `${text}}`;
  };
  // Timers that fire at different times fire in that order, whichever was set first.
  return write("", { ...world, timers: world.timers.toSorted((one, other) => one.dueMs - other.dueMs) });
}
