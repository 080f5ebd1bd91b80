/** The time of which a list is asked for. */
import { SchemaError } from "../http/validation.ts";

export interface TimeRange {
  readonly fromMs: number | undefined;
  readonly beforeMs: number | undefined;
}

/** Both bounds are ISO times; the second is excluded. */
export function rangeOf({
  from,
  to,
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): TimeRange {
  const fromMs = from === undefined ? undefined : Date.parse(from);
  const beforeMs = to === undefined ? undefined : Date.parse(to);
  if (fromMs !== undefined && beforeMs !== undefined && fromMs >= beforeMs)
    throw new SchemaError([{ loc: ["query", "to"], msg: "Should be later than from", type: "value_error" }]);
  return { fromMs, beforeMs };
}
