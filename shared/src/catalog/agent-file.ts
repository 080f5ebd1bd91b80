/** The format of agent.yaml, merged over `_defaults.yaml`. */
import { z } from "zod";
import { afterCallDocument } from "../contracts/agents/after-call-document.ts";
import { reasoningEfforts, verbosities } from "./agent.ts";
import type { Agent, AgentModelSettings, AgentVoice } from "./agent.ts";
import type { CompiledRules } from "./catalog-language.ts";
import {
  maxAgentExamples,
  maxExampleCharacters,
  maxKnowledge,
  maxLanguages,
  maxPhraseCharacters,
  maxPhrases,
  maxTools,
  templateVariables,
} from "./definition-limits.ts";
import { knownLanguage } from "./known-languages.ts";
import { guardrailsFile } from "./guardrail-file.ts";
import { genericHandoffTool } from "../tools/handoff-tools.ts";
import { searchKnowledgeName } from "../knowledge/search-knowledge.ts";
import { waitingSounds } from "./waiting-sounds.ts";

export const agentNamePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const toolNamePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** Relative speed or pitch as the cloud writes it. */
const relativePercent = z.string().regex(/^[+-]\d{1,3}(\.\d+)?%$/, "expected a signed percentage such as +3%");

const modelSettings = z.strictObject({
  deployment_id: z.string().min(1).max(128),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  max_tokens: z.int().min(1).max(16_384).optional(),
  reasoning_effort: z.enum(reasoningEfforts).optional(),
  verbosity: z.enum(verbosities).optional(),
});

/** No realtime model supports these, so they are rejected rather than ignored. */
const onlyOfChat = z.never("a realtime model has no such setting").optional();
const realtimeSettings = modelSettings.extend({
  top_p: onlyOfChat,
  verbosity: onlyOfChat,
  parallel_tool_calls: z.boolean().optional(),
});

export const voiceSettings = z.strictObject({
  name: z.string().min(1).max(128),
  style: z.string().min(1).max(64).optional(),
  rate: relativePercent.optional(),
  pitch: relativePercent.optional(),
  endpoint_id: z.string().min(1).max(128).optional(),
  personal_model: z.string().min(1).max(64).optional(),
});

export const agentFile = z.strictObject({
  description: z.string().min(1).max(512),
  greeting: z.string().min(1).max(1024).optional(),
  return_greeting: z.string().min(1).max(1024).optional(),
  handoff_trigger: z
    .string()
    .regex(/^handoff_[a-z0-9_]{1,56}$/, "expected a tool name that begins with handoff_")
    .refine(
      (name) => name !== genericHandoffTool,
      `"${genericHandoffTool}" hands over to any agent; choose another name`,
    )
    .optional(),
  prompt_shares: z
    .record(z.string().regex(/^v\d+$/, "expected a version such as v2, of prompt.v2.md"), z.number().min(0).max(100))
    .refine((shares) => Object.values(shares).reduce((sum, share) => sum + share, 0) <= 100, "more than 100 percent")
    .default({}),
  tools: z.array(z.string().regex(toolNamePattern)).max(maxTools).default([]),
  knowledge: z.array(z.string().min(1).max(64)).max(maxKnowledge).default([]),
  model: z.strictObject({
    cascade: modelSettings,
    realtime: realtimeSettings,
    max_tool_rounds: z.int().min(1).max(200).optional(),
  }),
  voice: voiceSettings,
  speech: z
    .strictObject({
      vad_silence_timeout_ms: z.int().min(100).max(5000).optional(),
      language: knownLanguage.optional(),
      candidate_languages: z.array(knownLanguage).max(maxLanguages).default([]),
      phrases: z.array(z.string().min(1).max(maxPhraseCharacters)).max(maxPhrases).default([]),
      fillers: z.array(z.string().min(1).max(128)).max(10).optional(),
      waiting_sound: z.enum(waitingSounds).optional(),
    })
    .prefault({}),
  examples: z.array(z.string().min(1).max(maxExampleCharacters)).max(maxAgentExamples).default([]),
  guardrails: guardrailsFile((pattern) => new RegExp(pattern, "giu")).default([]),
  template_vars: templateVariables.default({}),
  after_call: afterCallDocument.optional(),
});

export type AgentFile = z.infer<typeof agentFile>;

/** The part of an `Agent` that comes from agent.yaml; the rest comes from its other files. */
export function agentSettings(
  file: AgentFile,
  rules: CompiledRules | undefined,
): Omit<Agent, "name" | "prompt" | "promptPath" | "configPath" | "otherPrompts" | "promptVersion"> {
  return {
    description: file.description,
    greeting: file.greeting,
    returnGreeting: file.return_greeting,
    handoffTrigger: file.handoff_trigger,
    tools: toolsOf(file),
    ...(file.knowledge.length > 0 && { knowledge: file.knowledge }),
    model: {
      cascade: toModelSettings(file.model.cascade),
      realtime: toRealtimeSettings(file.model.realtime),
      ...(file.model.max_tool_rounds !== undefined && { maxToolRounds: file.model.max_tool_rounds }),
    },
    voice: toVoice(file.voice),
    speech: {
      vadSilenceTimeoutMs: file.speech.vad_silence_timeout_ms,
      ...(file.speech.language !== undefined && { language: file.speech.language }),
      candidateLanguages: file.speech.candidate_languages,
      phrases: file.speech.phrases,
      fillers: file.speech.fillers,
      ...(file.speech.waiting_sound !== undefined && { waitingSound: file.speech.waiting_sound }),
    },
    examples: allExamples(file.examples, rules),
    rules,
    guardrails: file.guardrails,
    templateVars: file.template_vars,
    ...(file.after_call !== undefined && { afterCall: file.after_call }),
  };
}

/** An agent that may look things up has the tool for it, whether it lists it or not. */
export function toolsOf({ tools, knowledge }: Pick<AgentFile, "tools" | "knowledge">): readonly string[] {
  return knowledge.length > 0 && !tools.includes(searchKnowledgeName) ? [...tools, searchKnowledgeName] : tools;
}

/** An agent's own sentences and those of its rules, each once. */
export function allExamples(own: readonly string[], rules: CompiledRules | undefined): readonly string[] {
  return [...new Set([...own, ...(rules?.examples ?? [])])];
}

function toVoice({ endpoint_id, personal_model, ...voice }: AgentFile["voice"]): AgentVoice {
  return {
    ...voice,
    ...(endpoint_id !== undefined && { endpointId: endpoint_id }),
    ...(personal_model !== undefined && { personalModel: personal_model }),
  };
}

function toModelSettings(file: AgentFile["model"]["cascade"]): AgentModelSettings {
  return {
    deploymentId: file.deployment_id,
    temperature: file.temperature,
    topP: file.top_p,
    maxTokens: file.max_tokens,
    ...(file.reasoning_effort !== undefined && { reasoningEffort: file.reasoning_effort }),
    ...(file.verbosity !== undefined && { verbosity: file.verbosity }),
  };
}

function toRealtimeSettings({
  parallel_tool_calls: parallelToolCalls,
  ...file
}: AgentFile["model"]["realtime"]): AgentModelSettings {
  return { ...toModelSettings(file), ...(parallelToolCalls !== undefined && { parallelToolCalls }) };
}
