/** Dates in recognised speech: "yesterday", "last monday", "march third", "the third of march twenty twenty six". */
import { dayMs } from "@voice/shared/platform/day";
import { months, nearDays, partsOfDay, weekdays } from "@voice/shared/languages/en/calendar";
import { teenOrdinals, tensOrdinals, unitOrdinals } from "@voice/shared/languages/en/numerals";
import { findNumbers } from "./read-numbers.ts";

/** The number of words in "nine hundred and ninety nine days ago", and one to spare. */
const longestAgo = 8;
/** The number of words in "one thousand nine hundred and ninety nine", and one to spare. */
const longestYear = 8;
/** The first to the twentieth. */
const ordinals = [...unitOrdinals, ...teenOrdinals, ...tensOrdinals.slice(0, 1)];

export interface DateRun {
  readonly start: number;
  readonly end: number;
  /** `2026-03-21` */
  readonly iso: string;
}

/** Which of the days that fit is meant where the caller names neither year nor week. */
export type Outlook = "past" | "future";

/** Callers mostly speak of what has happened; those who make an appointment do not. */
export function findDates(tokens: readonly string[], todayMs: number, outlook: Outlook = "past"): readonly DateRun[] {
  const runs: DateRun[] = [];
  for (let start = 0; start < tokens.length;) {
    const found =
      relativeDay(tokens, start, todayMs) ??
      weekday(tokens, start, { todayMs, outlook }) ??
      monthDay(tokens, start, { todayMs, outlook }) ??
      dayOfMonth(tokens, start, { todayMs, outlook }) ??
      numericDate(tokens, start);
    if (found !== undefined) runs.push({ start, end: found.end, iso: isoDay(found.ms) });
    start = found?.end ?? start + 1;
  }
  return runs;
}

export function findDate(tokens: readonly string[], todayMs: number): DateRun | undefined {
  return findDates(tokens, todayMs)[0];
}

interface Viewpoint {
  readonly todayMs: number;
  readonly outlook: Outlook;
}

interface Day {
  readonly ms: number;
  readonly end: number;
}

function relativeDay(tokens: readonly string[], at: number, todayMs: number): Day | undefined {
  const before = tokens[at] === "the" ? at + 1 : at;
  if (tokens[before] === "day") {
    const next = tokens.slice(before + 1, before + 3).join(" ");
    if (next === "before yesterday") return { ms: todayMs - 2 * dayMs, end: before + 3 };
    if (next === "after tomorrow") return { ms: todayMs + 2 * dayMs, end: before + 3 };
  }
  const part = partsOfDay[tokens.slice(at, at + 2).join(" ")];
  if (part !== undefined) return { ms: todayMs + part * dayMs, end: at + 2 };
  const offset = nearDays[tokens[at] ?? ""];
  if (offset !== undefined) return { ms: todayMs + offset * dayMs, end: at + 1 };
  if (tokens[at] === "in") {
    const span = daysIn(tokens, at + 1);
    return span && { ms: todayMs + span.days * dayMs, end: span.end };
  }
  // Checked first, so that a long row of numbers is not parsed again from each of them.
  if (!tokens.slice(at, at + longestAgo).includes("ago")) return undefined;
  const span = daysIn(tokens, at);
  return span !== undefined && tokens[span.end] === "ago"
    ? { ms: todayMs - span.days * dayMs, end: span.end + 1 }
    : undefined;
}

/** "Three days", "a week". */
function daysIn(tokens: readonly string[], at: number): { readonly days: number; readonly end: number } | undefined {
  const [number] =
    tokens[at] === "a" ? [{ start: 0, end: 1, value: 1 }] : findNumbers(tokens.slice(at, at + longestAgo));
  const unitAt = at + (number?.end ?? 0);
  const unit = { day: 1, days: 1, week: 7, weeks: 7 }[tokens[unitAt] ?? ""];
  return number?.start !== 0 || unit === undefined ? undefined : { days: number.value * unit, end: unitAt + 1 };
}

/** "On the fourteenth": of this month, or of the one before or after it. */
function dayOfMonth(tokens: readonly string[], at: number, { todayMs, outlook }: Viewpoint): Day | undefined {
  const isWritten = /^\d+(st|nd|rd|th)$/.test(tokens[at] ?? "");
  if (!isWritten && (tokens[at] !== "the" || tokens[at - 1] !== "on")) return undefined;
  const found = dayNumber(tokens, isWritten ? at : at + 1);
  if (found === undefined) return undefined;
  const today = new Date(todayMs);
  const ahead = found.day - today.getUTCDate();
  const months = outlook === "past" ? (ahead > 0 ? -1 : 0) : ahead < 0 ? 1 : 0;
  const ms = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, found.day);
  return new Date(ms).getUTCDate() === found.day ? { ms, end: found.end } : undefined;
}

/** A typed date, 3/15/2026 or 2026-03-15, whose punctuation has been removed by now. */
function numericDate(tokens: readonly string[], at: number): Day | undefined {
  const parts = tokens.slice(at, at + 3);
  if (parts.length < 3 || !parts.every((part) => /^\d{1,4}$/.test(part))) return undefined;
  const [first = 0, second = 0, third = 0] = parts.map(Number);
  const [year, month, day] = first > 1900 ? [first, second, third] : [third, first, second];
  if (year < 1900 || year > 2100) return undefined;
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? { ms, end: at + 3 } : undefined;
}

function weekday(tokens: readonly string[], at: number, { todayMs, outlook }: Viewpoint): Day | undefined {
  const hasPrefix = ["last", "next", "this", "on"].includes(tokens[at] ?? "");
  const wanted = weekdays.indexOf(tokens[hasPrefix ? at + 1 : at] ?? "");
  if (wanted === -1) return undefined;
  const today = new Date(todayMs).getUTCDay();
  const back = (today - wanted + 7) % 7 || 7;
  const isAhead = tokens[at] === "next" || tokens[at] === "this" || (outlook === "future" && tokens[at] !== "last");
  const offset = isAhead ? (wanted - today + 7) % 7 || 7 : -back;
  return { ms: todayMs + offset * dayMs, end: at + (hasPrefix ? 2 : 1) };
}

function monthDay(tokens: readonly string[], at: number, viewpoint: Viewpoint): Day | undefined {
  const start = tokens[at] === "the" ? at + 1 : at;
  // Checked first, because few words are followed by it, and a day has at most two.
  const isBeforeOf = tokens[start + 1] === "of" || tokens[start + 2] === "of";
  const dayFirst = isBeforeOf ? dayNumber(tokens, start) : undefined;
  if (dayFirst !== undefined && tokens[dayFirst.end] === "of") {
    const month = months.indexOf(tokens[dayFirst.end + 1] ?? "");
    return month === -1 ? undefined : withYear(tokens, dayFirst.end + 2, { month, day: dayFirst.day }, viewpoint);
  }
  const month = months.indexOf(tokens[at] ?? "");
  if (month === -1) return undefined;
  const day = dayNumber(tokens, tokens[at + 1] === "the" ? at + 2 : at + 1);
  return day === undefined ? undefined : withYear(tokens, day.end, { month, day: day.day }, viewpoint);
}

function dayNumber(tokens: readonly string[], at: number): { day: number; end: number } | undefined {
  const token = tokens[at] ?? "";
  const tens = { twenty: 20, thirty: 30 }[token];
  const small = ordinals.indexOf(tokens[at + 1] ?? "");
  if (tens !== undefined && small >= 0 && small < 9) return { day: tens + small + 1, end: at + 2 };
  if (token === "thirtieth") return { day: 30, end: at + 1 };
  const ordinal = ordinals.indexOf(token);
  if (ordinal !== -1) return { day: ordinal + 1, end: at + 1 };
  const written = /^(\d{1,2})(st|nd|rd|th)?$/.exec(token);
  if (written !== null) return validDay(Number(written[1]), at + 1);
  // A cardinal ("march three") may be followed by a year, so at most two words belong to the day.
  for (const length of [2, 1]) {
    const [number] = findNumbers(tokens.slice(at, at + length));
    if (number?.start === 0 && number.end === length && number.value <= 31) return validDay(number.value, at + length);
  }
  return undefined;
}

function validDay(day: number, end: number): { day: number; end: number } | undefined {
  return day >= 1 && day <= 31 ? { day, end } : undefined;
}

function withYear(
  tokens: readonly string[],
  at: number,
  { month, day }: { readonly month: number; readonly day: number },
  { todayMs, outlook }: Viewpoint,
): Day | undefined {
  const [number] = findNumbers(tokens.slice(at, at + longestYear));
  const spoken = number?.start === 0 && number.value >= 1900 && number.value < 2100 ? number : undefined;
  const thisYear = new Date(todayMs).getUTCFullYear();
  // Today counts as both.
  const isToCome = Date.UTC(thisYear, month, day) > todayMs;
  const isOver = Date.UTC(thisYear, month, day) + dayMs <= todayMs;
  const nearest = outlook === "past" ? (isToCome ? thisYear - 1 : thisYear) : isOver ? thisYear + 1 : thisYear;
  const year = spoken?.value ?? nearest;
  const ms = Date.UTC(year, month, day);
  return new Date(ms).getUTCMonth() === month ? { ms, end: at + (spoken?.end ?? 0) } : undefined;
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
