/** Opening hours by the days of the week, as `mon-fri: 08:00-18:00`. Pure. */
import { z } from "zod";
import { oneOrMore } from "./one-or-more.ts";

const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const dayMinutes = 24 * 60;

/** Minutes after midnight; `endMinute` is after the day's end where a span goes over midnight. */
interface Span {
  readonly startMinute: number;
  readonly endMinute: number;
}

export interface OpeningHours {
  /** Indexed by the day of the week, from Monday. */
  readonly week: readonly (readonly Span[])[];
  /** Days (`2026-12-25`) without hours, whatever day of the week they are. */
  readonly closedOn: ReadonlySet<string>;
}

const dayForm = `(?:${days.join("|")})`;
const dayKey = z.string().regex(new RegExp(`^${dayForm}(?:-${dayForm})?$`), "expected a day such as mon, or mon-fri");
const spanText = z
  .string({ error: "expected a span in quotes, such as 08:00-18:00" })
  .regex(/^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/, "expected a span such as 08:00-18:00");
const spans = oneOrMore(spanText, "expected a span such as 08:00-18:00, or a list of them");

export const openingHours = z.record(dayKey, spans).refine((hours) => Object.keys(hours).length > 0, "expected a day");

export const closedDay = z
  .string({ error: "expected days in quotes, such as 2026-12-25" })
  .refine(
    (day) => /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)),
    "expected a day such as 2026-12-25",
  );

export function toOpeningHours(hours: z.output<typeof openingHours>, closedOn: readonly string[]): OpeningHours {
  const week: Span[][] = days.map(() => []);
  for (const [key, texts] of Object.entries(hours)) {
    const [first = "", last = first] = key.split("-");
    const from = days.findIndex((day) => day === first);
    const count = ((days.findIndex((day) => day === last) - from + days.length) % days.length) + 1;
    for (let ahead = 0; ahead < count; ahead++) week[(from + ahead) % days.length]?.push(...texts.map(toSpan));
  }
  return { week, closedOn: new Set(closedOn) };
}

function toSpan(text: string): Span {
  const [startMinute = 0, end = 0] = text.split("-").map((time) => {
    const [hour = 0, minute = 0] = time.split(":").map(Number);
    return hour * 60 + minute;
  });
  return { startMinute, endMinute: end > startMinute ? end : end + dayMinutes };
}

export interface LocalTime {
  /** `2026-03-21` */
  readonly day: string;
  readonly minute: number;
}

export function isOpen({ week, closedOn }: OpeningHours, { day, minute }: LocalTime): boolean {
  const midnightMs = Date.parse(day);
  const yesterday = new Date(midnightMs - dayMinutes * 60_000).toISOString().slice(0, 10);
  const isWithin = (of: string, at: number): boolean =>
    !closedOn.has(of) &&
    (week[weekdayOf(of)] ?? []).some(({ startMinute, endMinute }) => startMinute <= at && at < endMinute);
  return isWithin(day, minute) || isWithin(yesterday, minute + dayMinutes);
}

/** The day of the week, counted from Monday as 0. */
function weekdayOf(day: string): number {
  return (new Date(day).getUTCDay() + days.length - 1) % days.length;
}
