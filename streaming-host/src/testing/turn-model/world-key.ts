/**
 * When two conversations have the same future: times count from now and turns from the newest, because the machine
 * does the same whenever it is asked. It reads whatever the state holds, so it need not know what is added to it.
 */
import type { World } from "./world.ts";

/** What happened longer ago than this is over for every rule that looks back at it; FAIL-1 looks back furthest, 10 s. */
const longAgoMs = 15_000;
/** Times of the session clock; other milliseconds are lengths. One that is missing here costs time, and hides nothing. */
const times: ReadonlySet<string> = new Set(
  "nowMs dueMs sinceMs stoppedMs anchorMs endsMs endedMs speechSinceMs speaksSinceMs lastStoppedMs".split(" "),
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
