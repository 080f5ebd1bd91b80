/** The page's requests about phone calls, and the fields it reads of the answers. */
import { z } from "zod";

import { queryOf } from "./request.ts";
import { costOf } from "./costs-api.ts";
import type { Http } from "./request.ts";

const event = z.object({
  type: z.string(),
  timestamp: z.string(),
  details: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((details) => details ?? {}),
});

const call = z.object({
  call_id: z.string(),
  session_id: z.string(),
  status: z.string(),
  direction: z.string(),
  target_number: z.string().nullish(),
  target_raw_id: z.string().nullish(),
  caller_number: z.string().nullish(),
  caller_raw_id: z.string().nullish(),
  scenario: z.string().nullish(),
  created_at: z.string(),
  failure: z.object({ code: z.string(), reason: z.string() }).nullish(),
  end_reason: z.string().nullish(),
  duration: z.number().nullish(),
  cost: costOf,
  /** Oldest first. */
  events: z.array(event),
});

const callList = z.object({ calls: z.array(call) });
const placed = z.object({ call_id: z.string() });

export type CallInfo = z.infer<typeof call>;
export type CallHistoryEvent = z.infer<typeof event>;
type CallPage = z.infer<typeof callList>;

export interface CallRequest {
  readonly number: string;
  readonly scenario?: string | undefined;
  readonly voicemail?: string | undefined;
}

/** The latest, among which an operator finds those that they have to do with now. */
const latestCalls = 25;

export type CallsApi = ReturnType<typeof createCallsApi>;

export function createCallsApi(http: Http) {
  return {
    /** The latest calls, or the one with this id. */
    list: (search: string | undefined, signal: AbortSignal): Promise<CallPage> =>
      http.json(`/calls/${queryOf({ limit: latestCalls, search })}`, callList, { signal }),
    /** The call that carries this conversation. */
    ofSession: async (sessionId: string, signal: AbortSignal): Promise<CallInfo | undefined> => {
      const { calls } = await http.json(`/calls/${queryOf({ search: sessionId })}`, callList, { signal });
      return calls.find((each) => each.session_id === sessionId);
    },
    /** Resolves with the call's id as soon as the call is being placed. */
    place: async ({ number, scenario, voicemail }: CallRequest): Promise<string> => {
      const body = { target_number: number, scenario, voicemail };
      return (await http.json("/calls/initiate", placed, { method: "POST", body })).call_id;
    },
    hangUp: async (callId: string): Promise<void> => {
      await http.send("/calls/terminate", { method: "POST", body: { call_id: callId } });
    },
  };
}
