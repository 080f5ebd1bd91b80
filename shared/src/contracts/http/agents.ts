/** Agents, their runtime overrides and session-scoped ones. */
import { z } from "zod";
import { agentChange, agentDocument } from "../agents/agent-document.ts";
import { defineEndpoint } from "./endpoint.ts";
import { freeForm, idField, queryBoolean } from "./fields.ts";

/** Any text: a name that is nobody's is `not_found`, not a schema failure. */
const agentNameParam = z.string().min(1).max(128);

const voiceState = z.object({
  current_voice: z.string(),
  voice_style: z.string().nullable(),
  voice_rate: z.string().nullable(),
  voice_configurable: z.boolean(),
  is_per_agent_voice: z.boolean(),
});

const modelState = z.object({
  deployment_id: z.string(),
  temperature: z.number().nullable(),
  top_p: z.number().nullable(),
  max_tokens: z.int().nullable(),
});

export const agentView = z
  .object({
    name: z.string(),
    status: z.literal("loaded"),
    description: z.string(),
    prompt_path: z.string().nullable(),
    config_path: z.string().nullable(),
    model: modelState,
    voice: voiceState,
    language: z
      .string()
      .nullable()
      .describe("That it hears and speaks; null where it names none and speaks the conversation's."),
    tool_count: z.int(),
    tools: z.array(z.string()),
    handoff_tools: z.array(z.string()),
    handoff_trigger: z.string().nullable(),
    prompt_preview: z.string(),
    examples: z.array(z.string()).describe("What a caller may say: one sentence for each thing the agent does."),
    phrase_count: z.int().describe("Sentences that the local recogniser tells apart for this agent."),
    source: z.enum(["catalog", "session"]),
  })
  .meta({ id: "Agent" });

export type AgentView = z.infer<typeof agentView>;

export const agentDetails = z
  .object({
    ...agentView.shape,
    prompt: z.string(),
    greeting: z.string().nullable(),
    return_greeting: z.string().nullable(),
    definition: freeForm.describe(
      "The agent as somebody wrote it, without what it takes from the defaults: `POST /agents` takes it as it is.",
    ),
    session_id: z.string().nullable(),
    current_agent: z.string().nullable().describe("The session's active agent, when a session was named."),
  })
  .meta({ id: "AgentDetails" });

export const agentSummary = z
  .object({
    name: z.string(),
    description: z.string(),
    greeting: z.boolean(),
    return_greeting: z.boolean(),
    tool_count: z.int(),
    tools_preview: z.array(z.string()),
    handoff_trigger: z.string().nullable(),
    model: z.string(),
    voice: z.string(),
  })
  .meta({ id: "AgentSummary" });

export type AgentSummary = z.infer<typeof agentSummary>;

export const agentListResponse = z
  .object({
    status: z.literal("success"),
    agents_count: z.int(),
    agents: z.array(agentView),
    summaries: z.array(agentSummary),
    handoff_map: z.record(z.string(), z.string()).describe("Handoff trigger to agent."),
    start_agent: z.string().nullable().describe("Who begins: in the session, where one was named."),
    scenario: z.string().nullable().describe("The session's, where one was named; the service's setting else."),
    connections: z.array(z.object({ tool: z.string(), target: z.string() })),
    current_agent: z.string().nullable(),
    response_time_ms: z.number(),
    available_voices: z.object({
      turbo_voices: z.array(z.string()),
      standard_voices: z.array(z.string()),
      hd_voices: z.array(z.string()),
    }),
  })
  .meta({ id: "AgentListResponse" });

export const agentUpdateResponse = z
  .object({
    status: z.literal("success"),
    agent_name: z.string(),
    updated_fields: z.array(z.string()),
    message: z.string(),
    response_time_ms: z.number(),
    note: z.string(),
  })
  .meta({ id: "AgentUpdateResponse" });

export const agentCreateRequest = z
  .strictObject({ session_id: idField.nullish().describe("Here or in the query."), ...agentDocument.shape })
  .meta({ id: "AgentCreateRequest" });

export const agentCreateResponse = z
  .object({
    session_id: z.string(),
    agent_name: z.string(),
    status: z.literal("created"),
    config: freeForm,
    created_at: z.number(),
    modified_at: z.number(),
  })
  .meta({ id: "AgentCreateResponse" });

const sessionQuery = { session_id: idField.optional().describe("Also what this session created.") };

export const listAgents = defineEndpoint({
  name: "agentsList",
  at: "GET /agents",
  access: "client",
  summary: "Agents with their configuration, model and voice settings",
  query: z.object({ ...sessionQuery, include_state: queryBoolean("Also the session's active agent.") }),
  responses: { 200: { description: "All agents.", schema: agentListResponse } },
  problems: ["cache_connection_failed"],
});

export const getAgent = defineEndpoint({
  name: "agentsGet",
  at: "GET /agents/{agent_name}",
  access: "client",
  summary: "One agent: prompt, tools, handoff trigger",
  params: z.object({ agent_name: agentNameParam }),
  query: z.object(sessionQuery),
  responses: { 200: { description: "The agent.", schema: agentDetails } },
  problems: ["not_found", "cache_connection_failed"],
});

export const updateAgent = defineEndpoint({
  name: "agentsUpdate",
  at: "PUT /agents/{agent_name}",
  access: "client",
  summary: "Changes an agent from the next turn of every session on",
  description:
    "Applied at runtime on every instance, not persisted to the catalog. Without `session_id` for operators: the token " +
    "needs the app role of `OPERATOR_ROLE`, or its subject stands in `OPERATOR_SUBJECTS`. With it, for the session's " +
    "owner: the session's own agent is changed.",
  params: z.object({ agent_name: agentNameParam }),
  query: z.object({ session_id: idField.optional().describe("Whose own agent to change.") }),
  body: agentChange,
  responses: { 200: { description: "Applied.", schema: agentUpdateResponse } },
  problems: ["not_found", "conflict", "cache_connection_failed"],
});

export const createAgent = defineEndpoint({
  name: "agentsCreate",
  at: "POST /agents",
  access: "client",
  summary: "Creates an agent for one session",
  query: z.object(sessionQuery),
  body: agentCreateRequest,
  responses: { 200: { description: "Created.", schema: agentCreateResponse } },
  problems: ["rate_limited", "conflict", "cache_connection_failed"],
});
