/**
 * The filter of a list of conversations, in two forms: as a part of the page's address, which can be shared and saved, and as parameters
 * of the request. Pure.
 */
import type { ConversationParameters } from "../api/conversations-api.ts";

export interface ConversationFilter {
  readonly channel?: string | undefined;
  readonly direction?: string | undefined;
  readonly scenario?: string | undefined;
  /** A published version. */
  readonly release?: string | undefined;
  readonly agent?: string | undefined;
  readonly outcome?: string | undefined;
  readonly reason?: string | undefined;
  /** It failed, did not come about, or something failed in it. */
  readonly failed?: true | undefined;
  readonly transferred?: true | undefined;
  /** 95th percentile of the time to answer, in milliseconds, at least. */
  readonly slow?: number | undefined;
  /** Seconds. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** The last so many minutes, which move with the clock. */
  readonly last?: number | undefined;
  /** `2026-03-01T14:00` in the user's time zone. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly search?: string | undefined;
}

/** An answer that people begin to wait for. */
export const slowAnswerMs = 2000;

const textFields = ["channel", "direction", "scenario", "release", "agent", "outcome", "reason", "search"] as const;
const numberFields = ["slow", "min", "max", "last"] as const;
const flagFields = ["failed", "transferred"] as const;
const timeFields = ["from", "to"] as const;

const filterFields = [...textFields, ...numberFields, ...flagFields, ...timeFields] as const;

/** What the address does not say, or says in no way that can be understood, is no filter. */
export function parseFilter(query: URLSearchParams): ConversationFilter {
  return {
    ...fieldsOf(textFields, (name) => query.get(name) || undefined),
    ...fieldsOf(numberFields, (name) => readNumber(query.get(name))),
    ...fieldsOf(flagFields, (name) => (query.get(name) === "1" ? (true as const) : undefined)),
    ...fieldsOf(timeFields, (name) => readTime(query.get(name), name)),
    ...formerFilter(query),
  };
}

export function formatFilter(filter: ConversationFilter): string {
  const stated = filterFields.flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [[name, value === true ? "1" : String(value)]];
  });
  return stated.length === 0 ? "" : `?${new URLSearchParams(stated)}`;
}

export function isSameFilter(one: ConversationFilter, other: ConversationFilter): boolean {
  return formatFilter(one) === formatFilter(other);
}

export function toParameters(filter: ConversationFilter, nowMs: number): ConversationParameters {
  const { reason, failed, transferred, slow, min, max, last, from, to, ...same } = filter;
  const sinceMs = last === undefined ? undefined : nowMs - last * 60_000;
  return {
    ...same,
    end_reason: reason,
    failed: failed && "true",
    transferred: transferred && "true",
    min_answer_ms: slow,
    min_seconds: min,
    max_seconds: max,
    from: sinceMs === undefined ? from && inUtc(from) : new Date(sinceMs).toISOString(),
    to: sinceMs === undefined ? to && inUtc(to) : undefined,
  };
}

function fieldsOf<Name extends string, Value>(
  names: readonly Name[],
  read: (name: Name) => Value | undefined,
): { readonly [N in Name]?: Value } {
  const found: { [N in Name]?: Value } = {};
  for (const name of names) {
    const value = read(name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** Reads links of an earlier version, in which the list was filtered by status. */
function formerFilter(query: URLSearchParams): ConversationFilter {
  return query.get("status") === "active" ? { outcome: "in_progress" } : {};
}

function readNumber(text: string | null): number | undefined {
  const value = Number(text ?? "");
  return text !== null && /^\d{1,7}$/.test(text) && value > 0 ? value : undefined;
}

/** A day alone begins at midnight, and as the end of a range it is over at the next. */
function readTime(text: string | null, bound: "from" | "to"): string | undefined {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text ?? "") ? `${text}T${bound === "from" ? "00:00" : "23:59"}` : text;
  return time !== null && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(time) && inUtc(time) !== undefined ? time : undefined;
}

/** A time without a zone is the user's own. */
function inUtc(localTime: string): string | undefined {
  const at = new Date(localTime);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
