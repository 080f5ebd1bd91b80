/** The page's requests for figures of days and weeks. */
import { z } from "zod";

import { queryOf } from "./request.ts";
import type { Http } from "./request.ts";

const named = z.object({ name: z.string(), count: z.number() });
const amount = z.object({ currency: z.string(), amount: z.number() });

const overview = z.object({
  conversations: z.number(),
  calls: z.number(),
  turns: z.number(),
  average_duration_ms: z.number().nullable(),
  contained: z.number().nullable(),
  with_person: z.number(),
  live: z.number().nullable(),
  outcomes: z.array(named),
  failures: z.array(named),
  latency: z.array(z.object({ stage: z.string(), p50: z.number(), p95: z.number(), count: z.number() })),
  cost: z.array(amount),
  scenarios: z.array(named),
  agents: z.array(named),
  tools: z.array(z.object({ name: z.string(), count: z.number(), failed: z.number() })),
  handoffs: z.array(z.object({ from: z.string(), to: z.string(), count: z.number() })),
  noted: z
    .array(named)
    .nullish()
    .transform((noted) => noted ?? []),
  noted_values: z
    .array(z.object({ field: z.string(), value: z.string(), count: z.number() }))
    .nullish()
    .transform((values) => values ?? []),
  days: z.array(
    z.object({
      day: z.string(),
      conversations: z.number(),
      calls: z.number(),
      failed: z.number(),
      cost: z.array(amount),
      answer_p95_ms: z.number().nullable(),
    }),
  ),
});

export type Overview = z.infer<typeof overview>;
export type Span = 1 | 7 | 30;

export type OverviewApi = ReturnType<typeof createOverviewApi>;

export function createOverviewApi(http: Http) {
  return {
    overview: (days: Span, timeZone: string, signal: AbortSignal): Promise<Overview> =>
      http.json(`/overview${queryOf({ days, time_zone: timeZone })}`, overview, { signal }),
  };
}
