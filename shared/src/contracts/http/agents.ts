/** Spec section 4.7: agents, their runtime overrides and session-scoped ones. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { freeForm, idField, nameField, queryBoolean } from "./fields.ts";

const tag = "Agents";

/** Any text: a name that is nobody's is `not_found`, not a schema failure. */
const agentNameParam = z.string().min(1).max(128);

const agentModelUpdate = z
  .strictObject({
    deployment_id: z.string().min(1).max(128).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    max_tokens: z.int().min(1).max(16_384).nullish(),
  })
  .meta({ id: "AgentModelUpdate" });

const relativePercent = z
  .string()
  .regex(/^[+-]\d{1,3}(\.\d+)?%$/, "A signed percentage such as +3%")
  .nullish();

const agentVoiceUpdate = z
  .strictObject({
    voice_name: z.string().min(1).max(128).nullish(),
    voice_style: z.string().min(1).max(64).nullish(),
    voice_rate: relativePercent.describe("Speed, relative to the voice's own."),
    voice_pitch: relativePercent,
  })
  .meta({ id: "AgentVoiceUpdate" });

export const agentConfigUpdate = z
  .strictObject({ model: agentModelUpdate.nullish(), voice: agentVoiceUpdate.nullish() })
  .meta({ id: "AgentConfigUpdate" });

export type AgentConfigUpdate = z.infer<typeof agentConfigUpdate>;

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
    start_agent: z.string().nullable(),
    scenario: z.string().nullable(),
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

const agentModelCreate = z
  .strictObject({
    ...agentModelUpdate.shape,
    cascade: agentModelUpdate.nullish().describe("Where recognition, model and synthesis are three services."),
    realtime: agentModelUpdate.nullish().describe("For VOICE_LIVE: one model hears, thinks and speaks."),
  })
  .meta({ id: "AgentModelCreate" });

const agentSpeech = z
  .strictObject({
    vad_silence_timeout_ms: z.int().min(100).max(5000).nullish().describe("Silence that ends the caller's turn."),
    candidate_languages: z.array(z.string().min(2).max(16)).max(10).nullish(),
    phrases: z.array(z.string().min(1).max(128)).max(500).nullish().describe("Names and terms to listen for."),
  })
  .meta({ id: "AgentSpeech" });

const guardrail = z
  .strictObject({
    pattern: z.string().min(1).max(300).describe("RE2 syntax, letter case ignored."),
    replace: z.string().max(1024).optional(),
    stop: z.string().min(1).max(1024).optional().describe("Said instead; the reply ends there."),
  })
  .meta({ id: "AgentGuardrail" });

/** Intents are written as in rules.yaml; the catalog's own check says what is wrong with one, field by field. */
const agentRules = z
  .strictObject({
    intents: z
      .record(
        z
          .string()
          .regex(/^[a-z][a-z0-9_]*$/, "Lower case with underscores")
          .max(64),
        freeForm.nullable(),
      )
      .optional()
      .describe("By name: `examples`, `slots`, and one of `say`, `call`, `handoff`, `repeat`; null removes one."),
    fallback: z.string().min(1).max(1024).optional(),
    arrival: z.string().min(1).max(1024).optional(),
    escalation: freeForm.optional(),
  })
  .meta({ id: "AgentRules" });

/** Everything that an agent's folder can say; checked against the tool registry and the other agents when it is created. */
export const agentCreateRequest = z
  .strictObject({
    session_id: idField.nullish().describe("Here or in the query."),
    name: nameField,
    description: z.string().max(512).nullish(),
    greeting: z.string().max(1024).nullish(),
    return_greeting: z.string().max(1024).nullish(),
    handoff_trigger: z
      .string()
      .regex(/^handoff_[a-z0-9_]{1,56}$/, "A trigger is a tool name that begins with handoff_")
      .nullish(),
    prompt: z.string().min(10).max(32_000),
    tools: z.array(z.string().min(1).max(128)).max(64).nullish(),
    model: agentModelCreate.nullish(),
    voice: agentVoiceUpdate.nullish(),
    speech: agentSpeech.nullish(),
    examples: z.array(z.string().min(1).max(256)).max(500).nullish().describe("Sentences a caller may say."),
    rules: agentRules.nullish().describe("What the local model answers by; merged over the built-in `_rules.yaml`."),
    guardrails: z
      .record(nameField, guardrail.nullable())
      .nullish()
      .describe("What must not be spoken, by name; merged over the built-in ones, null removes one."),
    template_vars: freeForm.nullish(),
  })
  .meta({ id: "AgentCreateRequest" });

export type AgentCreateRequest = z.infer<typeof agentCreateRequest>;

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
  method: "GET",
  path: "/agents",
  tag,
  access: "client",
  summary: "Agents with their configuration, model and voice settings",
  query: z.object({ ...sessionQuery, include_state: queryBoolean("Also the session's active agent.") }),
  responses: { 200: { description: "All agents.", schema: agentListResponse } },
  problems: ["cache_connection_failed"],
});

export const getAgent = defineEndpoint({
  name: "agentsGet",
  method: "GET",
  path: "/agents/{name}",
  tag,
  access: "client",
  summary: "One agent: prompt, tools, handoff trigger",
  params: z.object({ name: agentNameParam }),
  query: z.object(sessionQuery),
  responses: { 200: { description: "The agent.", schema: agentDetails } },
  problems: ["not_found", "cache_connection_failed"],
});

export const updateAgent = defineEndpoint({
  name: "agentsUpdate",
  method: "PUT",
  path: "/agents/{agent_name}",
  tag,
  access: "client",
  summary: "Changes an agent from the next turn of every session on",
  description: "Applied at runtime on every instance, not persisted to the catalog.",
  params: z.object({ agent_name: agentNameParam }),
  body: agentConfigUpdate,
  responses: { 200: { description: "Applied.", schema: agentUpdateResponse } },
  problems: ["not_found", "conflict", "cache_connection_failed"],
});

export const createAgent = defineEndpoint({
  name: "agentsCreate",
  method: "POST",
  path: "/agents",
  tag,
  access: "client",
  summary: "Creates an agent for one session",
  query: z.object(sessionQuery),
  body: agentCreateRequest,
  responses: { 200: { description: "Created.", schema: agentCreateResponse } },
  problems: ["conflict", "cache_connection_failed"],
});
