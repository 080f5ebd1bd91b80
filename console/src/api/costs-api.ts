/** What a conversation has used and what that cost, as the service tells it. */
import { z } from "zod";

import type { Http } from "./request.ts";

export const costOf = z.object({ amount: z.number(), currency: z.string(), is_complete: z.boolean() }).nullish();

const costs = z.object({
  cost: costOf,
  usage: z
    .array(
      z.object({
        part: z.string(),
        model: z.string(),
        agent: z.string(),
        quantities: z.record(z.string(), z.number()),
        cost: costOf,
        is_estimated: z.boolean(),
      }),
    )
    .nullish()
    .transform((usage) => usage ?? []),
});

export type Cost = NonNullable<z.infer<typeof costOf>>;
export type SessionCosts = z.infer<typeof costs>;

export type CostsApi = ReturnType<typeof createCostsApi>;

export function createCostsApi(http: Http) {
  return {
    costs: (sessionId: string, signal: AbortSignal): Promise<SessionCosts> =>
      http.json(`/sessions/${encodeURIComponent(sessionId)}`, costs, { signal }),
  };
}
