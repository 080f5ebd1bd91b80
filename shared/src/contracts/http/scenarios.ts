/** Scenarios: which agents take part in a conversation, where it starts, and which agent hands over to which. */
import { z } from "zod";
import { afterCallDocument } from "../agents/after-call-document.ts";
import { defineEndpoint } from "./endpoint.ts";
import { freeForm, idField, languageField, nameField, timeZoneField } from "./fields.ts";

const handoffType = z.enum(["announced", "discrete"]);

const handoff = z
  .object({
    from: z.string(),
    to: z.string(),
    tool: z.string().nullable(),
    type: handoffType,
    share_context: z.boolean(),
    condition: z.string().nullable(),
  })
  .meta({ id: "ScenarioHandoff" });

export const scenarioSummary = z
  .object({
    name: z.string(),
    description: z.string(),
    agents: z.array(z.string()),
    start_agent: z.string(),
    source: z.enum(["catalog", "session"]),
  })
  .meta({ id: "ScenarioSummary" });

export const scenarioDetails = z
  .object({
    ...scenarioSummary.shape,
    handoffs: z.array(handoff),
    language: z.string().nullable().describe("Of agents that name none; null where the service's setting says it."),
    languages: z
      .array(z.string())
      .nullable()
      .describe("In which agents that name none follow the caller; null where they do not."),
    time_zone: z.string().nullable().describe("Where its callers are; null where the service's setting says it."),
    waiting_sound: z
      .enum(["typing", "tone", "none"])
      .nullable()
      .describe("Heard while agents that name none work; null for silence."),
    template_vars: freeForm,
    after_call: afterCallDocument.nullish().describe("What is noted of its conversations; absent where nothing is."),
  })
  .meta({ id: "ScenarioDetails" });

export const scenarioListResponse = z
  .object({ scenarios: z.array(scenarioSummary), total: z.int() })
  .meta({ id: "ScenarioListResponse" });

export const scenarioCreateRequest = z
  .strictObject({
    session_id: idField.nullish().describe("Here or in the query."),
    name: nameField,
    description: z.string().max(512).nullish(),
    agents: z.array(nameField).min(1).max(32),
    start_agent: nameField,
    handoff_type: handoffType.nullish().describe("For handoffs that name none; `announced` where absent."),
    handoffs: z
      .array(
        z.strictObject({
          from: nameField,
          to: nameField,
          tool: z.string().min(1).max(128).nullish(),
          type: handoffType.nullish(),
          share_context: z.boolean().nullish(),
          condition: z.string().max(512).nullish(),
        }),
      )
      .max(128)
      .nullish(),
    language: languageField.nullish().describe("Of agents that name none; the service's where absent."),
    languages: z
      .array(languageField)
      .min(2)
      .max(10)
      .nullish()
      .describe("Agents that name no language of their own follow the caller among these."),
    time_zone: timeZoneField.nullish().describe("Where its callers are; the service's where absent."),
    waiting_sound: z
      .enum(["typing", "tone", "none"])
      .nullish()
      .describe("Heard while agents that name none work; silence where absent."),
    template_vars: freeForm.nullish(),
    after_call: afterCallDocument.nullish().describe("What is noted of its conversations once they are over."),
  })
  .meta({ id: "ScenarioCreateRequest" });

export type ScenarioCreateRequest = z.infer<typeof scenarioCreateRequest>;

export const scenarioCreateResponse = z
  .object({
    session_id: z.string(),
    scenario_name: z.string(),
    status: z.literal("created"),
    config: scenarioDetails,
    created_at: z.number(),
    modified_at: z.number(),
  })
  .meta({ id: "ScenarioCreateResponse" });

const sessionQuery = z.object({ session_id: idField.optional().describe("Also what this session created.") });

export const listScenarios = defineEndpoint({
  name: "scenariosList",
  at: "GET /scenarios",
  access: "client",
  summary: "Built-in and session-created scenarios",
  query: sessionQuery,
  responses: { 200: { description: "All scenarios.", schema: scenarioListResponse } },
  problems: ["cache_connection_failed"],
});

export const getScenario = defineEndpoint({
  name: "scenariosGet",
  at: "GET /scenarios/{name}",
  access: "client",
  summary: "One scenario: agents, handoffs, start agent",
  params: z.object({ name: z.string().min(1).max(128) }),
  query: sessionQuery,
  responses: { 200: { description: "The scenario.", schema: scenarioDetails } },
  problems: ["not_found", "cache_connection_failed"],
});

export const createScenario = defineEndpoint({
  name: "scenariosCreate",
  at: "POST /scenarios",
  access: "client",
  summary: "Creates a scenario for one session",
  query: sessionQuery,
  body: scenarioCreateRequest,
  responses: { 200: { description: "Created.", schema: scenarioCreateResponse } },
  problems: ["rate_limited", "conflict", "cache_connection_failed"],
});
