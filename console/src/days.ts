/** Days as people pick them, in their own time zone, and the times that they stand for. Pure. */

export interface Days {
  /** `2026-03-01`: from the beginning of this day. */
  readonly from?: string | undefined;
  /** To the end of this day. */
  readonly to?: string | undefined;
}

/** Undefined unless it is a day, because a link may contain anything. */
export function readDay(text: string | null): string | undefined {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && midnight(text, 0) !== undefined ? text : undefined;
}

/** The bounds as the service wants them: in UTC, the second excluded. */
export function timesOf({ from, to }: Days): { readonly from?: string | undefined; readonly to?: string | undefined } {
  return { from: from && midnight(from, 0), to: to && midnight(to, 1) };
}

/** When the day begins, or one some days later. */
function midnight(day: string, later: number): string | undefined {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const at = new Date(year, month - 1, date + later);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
