/** The page's HTTP requests. They read only what is shown, so that a newer service does not break the page. */
import { z } from "zod";

import { toServerMessage } from "@voice/shared/contracts/stream/parse-server-message";

import type { ServerMessage } from "@voice/shared/contracts/stream/server-message";
import type { Http } from "./request.ts";

export interface StoredMessages {
  /** Whether the list begins with the first message. */
  readonly isComplete: boolean;
  readonly messages: readonly StoredMessage[];
}

/** `until`: of an answer whose pieces were stored as one, when the last of them was sent. */
export type StoredMessage = ServerMessage & { readonly until?: string | undefined };

const agentList = z.object({
  agents: z.array(
    z.object({
      name: z.string(),
      description: z.string().nullish().transform(orEmpty),
      /** One sentence for each thing the agent does. */
      examples: z
        .array(z.string())
        .nullish()
        .transform((examples) => examples ?? []),
      phrase_count: z.int().nullish(),
      /** Where it names one. */
      language: z.string().nullish(),
    }),
  ),
  /** The default if none is requested. */
  scenario: z.string().nullish(),
});

const scenarioList = z.object({
  scenarios: z.array(
    z.object({
      name: z.string(),
      description: z.string().nullish().transform(orEmpty),
      agents: z.array(z.string()),
      start_agent: z.string(),
    }),
  ),
});

const afterCall = z.object({
  status: z.string(),
  summary: z.string().nullable(),
  outcome: z.string().nullable(),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  cost: z.object({ amount: z.number(), currency: z.string(), is_complete: z.boolean() }).nullish(),
});

export type AfterCall = z.infer<typeof afterCall>;

const sessionDetails = z.object({
  scenario: z.string(),
  release: z.number().nullish(),
  active_agent: z.string(),
  conversation_history: z.array(
    z.object({
      role: z.string(),
      content: z.string(),
      agent: z.string(),
      turn_id: z.string(),
      timestamp: z.string(),
      interrupted: z.boolean(),
      cut: z.enum(["length", "content_filter"]).nullish().catch(undefined),
      guardrails: z.array(z.string()).nullish(),
      author: z.enum(["operator", "person"]).nullish().catch(undefined),
      tool_calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).nullish(),
      tool_call_id: z.string().nullish(),
    }),
  ),
  failures: z
    .array(z.object({ code: z.string(), message: z.string(), timestamp: z.string() }))
    .nullish()
    .transform((failures) => failures ?? []),
  status: z.string().nullish(),
  with_person_since: z.string().nullish(),
  end_reason: z.string().nullish(),
  channel: z.string().nullish(),
  streaming_mode: z.string().nullish(),
  user_email: z.string().nullish(),
  created_at: z.string().nullish(),
  last_activity_at: z.string().nullish(),
  after_call: afterCall.nullish().catch(undefined),
  recordings: z
    .array(
      z.object({
        recording_id: z.string(),
        status: z.string(),
        started_at: z.string().nullish(),
        duration_ms: z.number().nullish(),
      }),
    )
    .nullish()
    .transform((recordings) => recordings ?? []),
});

const sessionMetrics = z.object({
  turns: z.array(
    z.object({
      turn_id: z.string(),
      agent: z.string(),
      marks: z.record(z.string(), z.number()),
      why: z
        .array(z.string())
        .nullish()
        .transform((why) => why ?? []),
    }),
  ),
});

const storedMessages = z.object({
  is_complete: z.boolean(),
  /** Those of types that this page does not know are left out. */
  messages: z.array(z.looseObject({ until: z.string().optional().catch(undefined) })),
});

const modelRequests = z.object({
  requests: z.array(
    z.object({
      at: z.string(),
      kind: z.string(),
      agent: z.string().nullish(),
      model: z.string().nullish(),
      settings: z.record(z.string(), z.unknown()),
      messages: z.array(z.looseObject({ role: z.string().catch(""), content: z.string().catch("") })),
      tools: z.array(z.looseObject({ name: z.string().catch(""), description: z.string().catch("") })),
      outcome: z.string(),
      first_event_ms: z.number().nullish(),
      took_ms: z.number().nullish(),
      finish_reason: z.string().nullish(),
      usage: z.record(z.string(), z.unknown()).nullish(),
      is_too_long: z.boolean().nullish(),
    }),
  ),
});

export type ModelRequest = z.infer<typeof modelRequests>["requests"][number];

const recordedTranscript = z.object({
  started_at: z.string(),
  recordings: z.array(z.object({ recording_id: z.string(), start_ms: z.number(), duration_ms: z.number() })),
  entries: z.array(
    z.object({
      speaker: z.enum(["caller", "agent"]),
      agent: z.string().nullish(),
      text: z.string(),
      start_ms: z.number(),
      end_ms: z.number(),
      turn_id: z.string(),
    }),
  ),
});

export type RecordedTranscript = z.infer<typeof recordedTranscript>;
export type RecordedSentence = z.infer<typeof recordedTranscript>["entries"][number];

/** What the service now does, in its own words. */
const taken = z.object({ message: z.string() });
const takenLine = taken.extend({ line_id: z.string().optional() });

const browserStatus = z.object({ features: z.record(z.string(), z.boolean()) });

/** What a person who plays this customer has to know. */
const customer = z.object({
  profile_id: z.string(),
  name: z.string(),
  profile: z.object({ verification_codes: z.record(z.string(), z.string()).nullish() }),
});

export type Customer = z.infer<typeof customer>;
export const customerKinds = ["banking", "insurance"] as const;
export type CustomerKind = (typeof customerKinds)[number];

type AgentList = z.infer<typeof agentList>;
export type AgentInfo = AgentList["agents"][number];
export type ScenarioInfo = z.infer<typeof scenarioList>["scenarios"][number];
export type SessionDetails = z.infer<typeof sessionDetails>;
export type SessionTurns = z.infer<typeof sessionMetrics>["turns"];

export interface Features {
  /** Speech is recognised without a cloud account, by recognisers of English and of the agents' examples. */
  readonly hasLocalRecognition: boolean;
  /** The telephone network is simulated, and this page can be a phone of it. */
  readonly hasSimulatedPhones: boolean;
}

export type ServiceApi = ReturnType<typeof createServiceApi>;

/** The service has accepted a line for the agent to say. */
interface RequestedLine {
  /** Under which its outcome is reported; undefined from a service of an older version. */
  readonly id: string | undefined;
  /** What happens now. */
  readonly promise: string;
}

export function createServiceApi(http: Http) {
  const get = <T>(path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> =>
    http.json(path, schema, { signal });
  const placeOf = (id: string, what = ""): string => `/sessions/${encodeURIComponent(id)}${what}`;
  /** Resolves with what the service has promised. */
  const act = async (id: string, what: string, body?: object): Promise<string> => {
    const { message } = await http.json(placeOf(id, what), taken, { method: "POST", body });
    return asSentence(message);
  };
  return {
    agents: (signal: AbortSignal) => get("/agents", agentList, signal),
    scenarios: async (signal: AbortSignal): Promise<readonly ScenarioInfo[]> =>
      (await get("/scenarios", scenarioList, signal)).scenarios,
    features: async (signal: AbortSignal): Promise<Features> => {
      const { features } = await get("/browser/status", browserStatus, signal);
      return {
        hasLocalRecognition: features["local_recognition"] === true,
        hasSimulatedPhones: features["simulated_phones"] === true,
      };
    },
    session: (id: string, signal: AbortSignal) => get(placeOf(id), sessionDetails, signal),
    turns: async (id: string, signal: AbortSignal): Promise<SessionTurns> =>
      (await get(placeOf(id, "/metrics"), sessionMetrics, signal)).turns,
    /** The file, whose body may take a long time to load. */
    recording: (id: string, signal: AbortSignal): Promise<Response> =>
      http.send(placeOf(id, "/recording"), { signal, isLong: true }),
    recordedTranscript: (id: string, signal: AbortSignal) =>
      get(placeOf(id, "/recording/transcript"), recordedTranscript, signal),
    /** The messages that were sent to watchers. */
    messages: async (id: string, signal: AbortSignal): Promise<StoredMessages> => {
      const read = await get(placeOf(id, "/messages"), storedMessages, signal);
      const messages = read.messages.flatMap((message): StoredMessage[] => {
        const known = toServerMessage(message);
        return known === undefined ? [] : [{ ...known, until: message.until }];
      });
      return { isComplete: read.is_complete, messages };
    },
    /** The requests that were sent to models; for operators. */
    modelRequests: async (id: string, signal: AbortSignal): Promise<readonly ModelRequest[]> =>
      (await get(placeOf(id, "/model-requests"), modelRequests, signal)).requests,
    /** A file of a conversation, by the part of its address after the id. */
    file: async (id: string, what: string): Promise<Blob> =>
      (await http.send(placeOf(id, what), { isLong: true })).blob(),
    /** Unvalidated, because the replay validates it. */
    flightRecord: (id: string, signal: AbortSignal) => get(placeOf(id, "/flight-record"), z.unknown(), signal),
    say: async (id: string, text: string): Promise<RequestedLine> => {
      const answer = await http.json(placeOf(id, "/say"), takenLine, { method: "POST", body: { text } });
      return { id: answer.line_id, promise: asSentence(answer.message) };
    },
    end: (id: string) => act(id, "/end"),
    takeOver: (id: string) => act(id, "/takeover"),
    handBack: (id: string, notes: string) => act(id, "/handback", { notes }),
    hold: (id: string, isOnHold: boolean) => act(id, "/hold", { on: isOnHold }),
    pressKeys: (id: string, keys: string) => act(id, "/keys", { keys }),
    transfer: (id: string, number: string) => act(id, "/transfer", { target_number: number }),
    /** Generates a customer for the next conversation. */
    generateCustomer: (kind: CustomerKind): Promise<Customer> =>
      http.json("/profiles/generate", customer, { method: "POST", body: { scenario: kind } }),
  };
}

function orEmpty(text: string | null | undefined): string {
  return text ?? "";
}

/** The API's messages have no full stop, and here they are shown among sentences. */
function asSentence(message: string): string {
  return message.replace(/\.?$/, ".");
}
