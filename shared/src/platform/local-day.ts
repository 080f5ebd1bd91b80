/** The calendar day in a given time zone. */

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** The latest quarter of an hour that was requested, and its day. */
  quarter: number;
  day: string;
}

/**
 * By name in lower case: each format takes 28 KB outside of the heap and is retained, the platform accepts a name in any mixture of
 * letters, and callers choose the names.
 */
const zones = new Map<string, Zone>();
/** In every time zone midnight is at the beginning of a quarter of an hour. */
const quarterMs = 15 * 60_000;

/** `2026-03-21` in a time zone such as `Europe/Berlin`. Called in every turn, and formatting is slow enough to show in a profile. */
export function dayIn(timeZone: string, wallMs: number): string {
  const name = timeZone.toLowerCase();
  const zone = zones.get(name) ?? { format: createFormat(timeZone), quarter: Number.NaN, day: "" };
  zones.set(name, zone);
  const quarter = Math.floor(wallMs / quarterMs);
  if (quarter !== zone.quarter) {
    zone.quarter = quarter;
    zone.day = zone.format.format(wallMs);
  }
  return zone.day;
}

/** Midnight of that day in UTC, for calculating with days by JavaScript's UTC functions. */
export function dayStartIn(timeZone: string, wallMs: number): number {
  return Date.parse(dayIn(timeZone, wallMs));
}

/** A time zone's name as the platform spells it: `Europe/Berlin`, `UTC`. */
export function isTimeZone(name: string): boolean {
  try {
    createFormat(name);
    return /^[A-Za-z]/.test(name); // an offset such as +02:00 has no daylight saving time
  } catch {
    return false;
  }
}

/** Swedish is used because it writes dates as ISO 8601 does. Creating a format takes 50 µs, and there are few zones. */
function createFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
}
