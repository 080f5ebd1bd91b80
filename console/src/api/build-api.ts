/** The Build page's requests: agents and scenarios as they are written, and new ones for a session. */
import { z } from "zod";

import type { Http } from "./request.ts";

const document = z.record(z.string(), z.unknown());

const agentList = z.object({
  agents: z.array(
    z.object({ name: z.string(), description: z.string(), tools: z.array(z.string()), source: z.string() }),
  ),
  available_voices: z.record(z.string(), z.array(z.string())),
});

const toolList = z.object({
  tools: z.array(z.object({ name: z.string(), description: z.string(), changes_something: z.boolean() })),
  tool_servers: z.array(z.string()),
});

const releaseList = z.object({
  releases: z.array(
    z.object({
      version: z.number(),
      author: z.string(),
      note: z.string(),
      published_at: z.string(),
      agents: z.array(z.string()),
      scenarios: z.array(z.string()),
      routes: z.number().nullish(),
    }),
  ),
  live: z.array(z.object({ version: z.number(), share: z.number() })),
});
const releaseDetails = z.object({
  version: z.number(),
  agent_documents: z.array(document),
  scenario_documents: z.array(document),
  route_documents: z.array(document).nullish(),
});

/** Published with the version that it was read from. */
const routeTable = z.object({ version: z.number(), routes: z.array(document) });

export type ReleaseList = z.infer<typeof releaseList>;
export type ReleaseDetails = z.infer<typeof releaseDetails>;

interface Publication {
  readonly note: string;
  readonly share: number;
  readonly agents: readonly Document[];
  readonly scenarios: readonly Document[];
  readonly route_table?: Document | undefined;
}

export type ToolList = z.infer<typeof toolList>;

export const agentDetails = z.object({
  name: z.string(),
  definition: document,
  model: z.object({
    deployment_id: z.string(),
    temperature: z.number().nullable(),
    top_p: z.number().nullable(),
    max_tokens: z.number().nullable(),
  }),
  voice: z.object({
    current_voice: z.string(),
    voice_style: z.string().nullable(),
    voice_rate: z.string().nullable(),
  }),
});

const scenarioDetails = z.object({
  name: z.string(),
  description: z.string(),
  agents: z.array(z.string()),
  start_agent: z.string(),
  handoffs: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      tool: z.string().nullish(),
      type: z.string().nullish(),
      share_context: z.boolean().nullish(),
      condition: z.string().nullish(),
    }),
  ),
  language: z.string().nullish(),
  languages: z.array(z.string()).nullish(),
  time_zone: z.string().nullish(),
  waiting_sound: z.string().nullish(),
  template_vars: document.nullish(),
  after_call: document.nullish(),
});

const made = z.object({ session_id: z.string() });
const changed = z.object({ message: z.string(), note: z.string() });

export type Document = Readonly<z.infer<typeof document>>;
export type AgentList = z.infer<typeof agentList>;
export type AgentDetails = z.infer<typeof agentDetails>;
export type ScenarioDetails = z.infer<typeof scenarioDetails>;

export type BuildApi = ReturnType<typeof createBuildApi>;

export function createBuildApi(http: Http) {
  /** For the given session or a new one; resolves with its id. */
  const make = async (what: string, definition: Document, sessionId: string | undefined): Promise<string> => {
    const body = { ...definition, session_id: sessionId };
    return (await http.json(`/${what}`, made, { method: "POST", body })).session_id;
  };
  return {
    tools: (signal: AbortSignal): Promise<ToolList> => http.json("/tools", toolList, { signal }),
    agents: (signal: AbortSignal): Promise<AgentList> => http.json("/agents", agentList, { signal }),
    agent: (name: string, signal: AbortSignal): Promise<AgentDetails> =>
      http.json(`/agents/${encodeURIComponent(name)}`, agentDetails, { signal }),
    scenario: (name: string, signal: AbortSignal, sessionId?: string): Promise<ScenarioDetails> => {
      const query = sessionId === undefined ? "" : `?${new URLSearchParams({ session_id: sessionId })}`;
      return http.json(`/scenarios/${encodeURIComponent(name)}${query}`, scenarioDetails, { signal });
    },
    makeAgent: (definition: Document, sessionId: string | undefined) => make("agents", definition, sessionId),
    makeScenario: (definition: Document, sessionId: string | undefined) => make("scenarios", definition, sessionId),
    routeTable: (signal: AbortSignal) => http.json("/routes", routeTable, { signal }),
    releases: (signal?: AbortSignal): Promise<ReleaseList> => http.json("/releases", releaseList, { signal }),
    release: (version: number): Promise<ReleaseDetails> => http.json(`/releases/${version}`, releaseDetails),
    publish: (publication: Publication): Promise<ReleaseDetails> =>
      http.json("/releases", releaseDetails, { method: "POST", body: publication }),
    shareOut: (live: ReleaseList["live"]): Promise<ReleaseList> =>
      http.json("/releases/live", releaseList, { method: "PUT", body: { live } }),
    /** For every conversation; resolves with a sentence that says what was done. */
    changeAgent: async (name: string, body: Document): Promise<string> => {
      const path = `/agents/${encodeURIComponent(name)}`;
      const { message, note } = await http.json(path, changed, { method: "PUT", body });
      return `${message}. ${note}`;
    },
  };
}
