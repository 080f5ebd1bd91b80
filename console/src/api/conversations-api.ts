/** The page's requests for the table of conversations, and the fields it reads of the answers. */
import { z } from "zod";

import { costOf } from "./costs-api.ts";
import { queryOf } from "./request.ts";
import type { Http } from "./request.ts";

const conversation = z.object({
  session_id: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullish(),
  duration_ms: z.number(),
  channel: z.string(),
  direction: z.string().nullish(),
  call_id: z.string().nullish(),
  who: z.string().nullish(),
  scenario: z.string().nullish(),
  agents: z.array(z.string()),
  active_agent: z.string().nullish(),
  outcome: z.string(),
  end_reason: z.string().nullish(),
  turns: z.number().nullish(),
  answer_p95_ms: z.number().nullish(),
  failures: z.number().nullish(),
  transferred: z.boolean().nullish(),
  language: z.string().nullish(),
  release: z.number().nullish(),
  version: z.string().nullish(),
  noted: z.object({ outcome: z.string().nullable(), summary: z.string().nullable() }).nullish().catch(undefined),
  cost: costOf,
});

const conversationList = z.object({
  conversations: z.array(conversation),
  next: z.string().nullable(),
  total: z.number().nullable(),
});

export type ConversationInfo = z.infer<typeof conversation>;
export type ConversationPage = z.infer<typeof conversationList>;

/** As the service names them; the times are in UTC. */
export interface ConversationParameters {
  readonly channel?: string | undefined;
  readonly direction?: string | undefined;
  readonly scenario?: string | undefined;
  readonly release?: string | undefined;
  readonly agent?: string | undefined;
  readonly outcome?: string | undefined;
  readonly end_reason?: string | undefined;
  readonly failed?: "true" | undefined;
  readonly transferred?: "true" | undefined;
  readonly min_answer_ms?: number | undefined;
  readonly min_seconds?: number | undefined;
  readonly max_seconds?: number | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly search?: string | undefined;
}

export type ConversationsApi = ReturnType<typeof createConversationsApi>;

export function createConversationsApi(http: Http) {
  return {
    /** `after`: the `next` of the page before. */
    page: (
      parameters: ConversationParameters,
      place: { readonly limit: number; readonly after?: string | undefined },
      signal: AbortSignal,
    ): Promise<ConversationPage> =>
      http.json(`/conversations${queryOf({ ...parameters, ...place })}`, conversationList, { signal }),
    csv: async (parameters: ConversationParameters, signal: AbortSignal): Promise<Blob> =>
      (await http.send(`/conversations/csv${queryOf({ ...parameters })}`, { signal, isLong: true })).blob(),
  };
}
