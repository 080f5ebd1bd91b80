/**
 * Agents that are made or changed at run time, as clients write them, as the stores keep them, and as every process reads
 * them back.
 */
import { z } from "zod";
import { freeForm, nameField } from "../http/fields.ts";
import { afterCallDocument } from "./after-call-document.ts";

const agentModelUpdate = z
  .strictObject({
    deployment_id: z.string().min(1).max(128).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    max_tokens: z.int().min(1).max(16_384).nullish(),
    reasoning_effort: z
      .enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"])
      .nullish()
      .describe("For models that reason: how much they think before they answer."),
    verbosity: z.enum(["low", "medium", "high"]).nullish().describe("For models that know it: how much they write."),
  })
  .meta({ id: "AgentModelUpdate" });

/** Fields that no realtime model supports are not offered. */
const agentRealtimeModel = agentModelUpdate
  .omit({ top_p: true, verbosity: true })
  .extend({
    parallel_tool_calls: z.boolean().nullish().describe("Whether one answer may call several tools."),
  })
  .meta({ id: "AgentRealtimeModel" });

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

/** The voice of an agent that is made for a session. */
const agentVoiceCreate = z
  .strictObject({
    ...agentVoiceUpdate.shape,
    endpoint_id: z
      .string()
      .min(1)
      .max(128)
      .nullish()
      .describe("The deployment of a custom voice, which an agent of the catalog speaks with."),
    personal_model: z
      .string()
      .min(1)
      .max(64)
      .nullish()
      .describe(
        "The model of a personal voice, which an agent of the catalog speaks with; `voice_name` is its profile.",
      ),
  })
  .meta({ id: "AgentVoiceCreate" });

export const agentChange = z
  .strictObject({ model: agentModelUpdate.nullish(), voice: agentVoiceUpdate.nullish() })
  .meta({ id: "AgentConfigUpdate" });

export type AgentChange = z.infer<typeof agentChange>;

const agentModelCreate = z
  .strictObject({
    ...agentModelUpdate.shape,
    cascade: agentModelUpdate.nullish().describe("Where recognition, model and synthesis are three services."),
    realtime: agentRealtimeModel.nullish().describe("For VOICE_LIVE: one model hears, thinks and speaks."),
  })
  .meta({ id: "AgentModelCreate" });

const agentSpeech = z
  .strictObject({
    vad_silence_timeout_ms: z.int().min(100).max(5000).nullish().describe("Silence that ends the caller's turn."),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-(?:[A-Z]{2}|\d{3}))?$/, "A language tag such as en-US")
      .nullish()
      .describe("What the agent hears and speaks."),
    candidate_languages: z.array(z.string().min(2).max(16)).max(10).nullish(),
    phrases: z.array(z.string().min(1).max(128)).max(500).nullish().describe("Names and terms to listen for."),
    fillers: z
      .array(z.string().min(1).max(128))
      .max(10)
      .nullish()
      .describe("Said in turn while the model takes its time."),
    waiting_sound: z
      .enum(["typing", "tone", "none"])
      .nullish()
      .describe("Heard while the agent works; the scenario's where absent."),
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

/** Everything that an agent's folder can define; the catalog checks it against the tools and the other agents. */
export const agentDocument = z.strictObject({
  name: nameField,
  description: z.string().max(512).nullish(),
  greeting: z.string().max(1024).nullish(),
  return_greeting: z.string().max(1024).nullish(),
  handoff_trigger: z
    .string()
    .regex(/^handoff_[a-z0-9_]{1,56}$/, "A trigger is a tool name that begins with handoff_")
    .nullish(),
  prompt: z
    .string()
    .min(10)
    .max(32_000)
    .refine((text) => text.trim() !== "", "The prompt is blank"),
  tools: z.array(z.string().min(1).max(128)).max(64).nullish(),
  knowledge: z
    .array(z.string().min(1).max(64))
    .max(16)
    .nullish()
    .describe("Names in the catalog's `knowledge` folder; the agent then has the tool `search_knowledge` over them."),
  model: agentModelCreate.nullish(),
  voice: agentVoiceCreate.nullish(),
  speech: agentSpeech.nullish(),
  examples: z.array(z.string().min(1).max(256)).max(500).nullish().describe("Sentences a caller may say."),
  rules: agentRules.nullish().describe("What the local model answers by; merged over the built-in `_rules.yaml`."),
  guardrails: z
    .record(nameField, guardrail.nullable())
    .nullish()
    .describe("What must not be spoken, by name; merged over the built-in ones, null removes one."),
  template_vars: freeForm.nullish(),
  after_call: afterCallDocument.nullish().describe("What is noted of a conversation in which it takes part."),
});

export type AgentDocument = z.infer<typeof agentDocument>;
