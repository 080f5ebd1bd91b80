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

/** A day without a year is the most recent such day, because callers speak of what has happened. */
export function findDates(tokens: readonly string[], todayMs: number): readonly DateRun[] {
  const runs: DateRun[] = [];
  for (let start = 0; start < tokens.length;) {
    const found =
      relativeDay(tokens, start, todayMs) ??
      weekday(tokens, start, todayMs) ??
      monthDay(tokens, start, todayMs) ??
      dayOfMonth(tokens, start, todayMs) ??
      numericDate(tokens, start);
    if (found !== undefined) runs.push({ start, end: found.end, iso: isoDay(found.ms) });
    start = found?.end ?? start + 1;
  }
  return runs;
}

export function findDate(tokens: readonly string[], todayMs: number): DateRun | undefined {
  return findDates(tokens, todayMs)[0];
}

interface Day {
  readonly ms: number;
  readonly end: number;
}

function relativeDay(tokens: readonly string[], at: number, todayMs: number): Day | undefined {
  const before = tokens[at] === "the" ? at + 1 : at;
  if (tokens.slice(before, before + 3).join(" ") === "day before yesterday")
    return { ms: todayMs - 2 * dayMs, end: before + 3 };
  const part = partsOfDay[tokens.slice(at, at + 2).join(" ")];
  if (part !== undefined) return { ms: todayMs + part * dayMs, end: at + 2 };
  const offset = nearDays[tokens[at] ?? ""];
  if (offset !== undefined) return { ms: todayMs + offset * dayMs, end: at + 1 };
  // Checked first, so that a long row of numbers is not parsed again from each of them.
  if (!tokens.slice(at, at + longestAgo).includes("ago")) return undefined;
  const [number] =
    tokens[at] === "a" ? [{ start: 0, end: 1, value: 1 }] : findNumbers(tokens.slice(at, at + longestAgo));
  const unitAt = at + (number?.end ?? 0);
  const unit = { day: 1, days: 1, week: 7, weeks: 7 }[tokens[unitAt] ?? ""];
  if (number?.start !== 0 || unit === undefined || tokens[unitAt + 1] !== "ago") return undefined;
  return { ms: todayMs - number.value * unit * dayMs, end: unitAt + 2 };
}

/** "On the fourteenth": of this month, or of the previous one if that day is still to come. */
function dayOfMonth(tokens: readonly string[], at: number, todayMs: number): Day | undefined {
  const isWritten = /^\d+(st|nd|rd|th)$/.test(tokens[at] ?? "");
  if (!isWritten && (tokens[at] !== "the" || tokens[at - 1] !== "on")) return undefined;
  const found = dayNumber(tokens, isWritten ? at : at + 1);
  if (found === undefined) return undefined;
  const today = new Date(todayMs);
  const month = found.day <= today.getUTCDate() ? today.getUTCMonth() : today.getUTCMonth() - 1;
  const ms = Date.UTC(today.getUTCFullYear(), month, found.day);
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

function weekday(tokens: readonly string[], at: number, todayMs: number): Day | undefined {
  const hasPrefix = ["last", "next", "this", "on"].includes(tokens[at] ?? "");
  const wanted = weekdays.indexOf(tokens[hasPrefix ? at + 1 : at] ?? "");
  if (wanted === -1) return undefined;
  const today = new Date(todayMs).getUTCDay();
  const back = (today - wanted + 7) % 7 || 7;
  const offset = tokens[at] === "next" || tokens[at] === "this" ? (wanted - today + 7) % 7 || 7 : -back;
  return { ms: todayMs + offset * dayMs, end: at + (hasPrefix ? 2 : 1) };
}

function monthDay(tokens: readonly string[], at: number, todayMs: number): Day | undefined {
  const start = tokens[at] === "the" ? at + 1 : at;
  const dayFirst = dayNumber(tokens, start);
  if (dayFirst !== undefined && tokens[dayFirst.end] === "of") {
    const month = months.indexOf(tokens[dayFirst.end + 1] ?? "");
    return month === -1 ? undefined : withYear(tokens, dayFirst.end + 2, month, dayFirst.day, todayMs);
  }
  const month = months.indexOf(tokens[at] ?? "");
  if (month === -1) return undefined;
  const day = dayNumber(tokens, tokens[at + 1] === "the" ? at + 2 : at + 1);
  return day === undefined ? undefined : withYear(tokens, day.end, month, day.day, todayMs);
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

function withYear(tokens: readonly string[], at: number, month: number, day: number, todayMs: number): Day | undefined {
  const [number] = findNumbers(tokens.slice(at, at + longestYear));
  const spoken = number?.start === 0 && number.value >= 1900 && number.value < 2100 ? number : undefined;
  const thisYear = new Date(todayMs).getUTCFullYear();
  const year = spoken?.value ?? (Date.UTC(thisYear, month, day) > todayMs ? thisYear - 1 : thisYear);
  const ms = Date.UTC(year, month, day);
  return new Date(ms).getUTCMonth() === month ? { ms, end: at + (spoken?.end ?? 0) } : undefined;
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
