/** The calendar day in a given time zone. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-03-21` in a time zone such as `Europe/Berlin`. */
export function dayIn(timeZone: string, wallMs: number): string {
  const format = formats.get(timeZone) ?? createFormat(timeZone);
  formats.set(timeZone, format);
  return format.format(wallMs);
}

/** Midnight of that day in UTC, for calculating with days by JavaScript's UTC functions. */
export function dayStartIn(timeZone: string, wallMs: number): number {
  return Date.parse(dayIn(timeZone, wallMs));
}

/** A time zone's name as the platform spells it: `Europe/Berlin`, `UTC`. */
export function isTimeZone(name: string): boolean {
  try {
    createFormat(name);
    return /^[A-Za-z]/.test(name); // an offset such as +02:00 knows no summer
  } catch {
    return false;
  }
}

/** Swedish is used because it writes dates as ISO 8601 does. Creating a format takes 50 µs, and there are few zones. */
function createFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
}
