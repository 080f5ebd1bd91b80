/** The format of agent.yaml, merged over `_defaults.yaml`. */
import { z } from "zod";
import { afterCallDocument } from "../contracts/agents/after-call-document.ts";
import { inCamelCase } from "../platform/camel-case.ts";
import { modelSettings, realtimeSettings, speechSettings, voiceSettings, type Agent } from "./agent.ts";
import type { CompiledRules } from "./catalog-language.ts";
import {
  maxAgentExamples,
  maxExampleCharacters,
  maxKnowledge,
  maxTools,
  templateVariables,
} from "./definition-limits.ts";
import { guardrailsFile } from "./guardrail-file.ts";
import { genericHandoffTool } from "../tools/handoff-tools.ts";
import { searchKnowledgeName } from "../knowledge/search-knowledge.ts";

export const agentNamePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const toolNamePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
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
  speech: speechSettings.prefault({}),
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
  const { prompt_shares: _, tools: __, knowledge, model, voice, speech, examples, ...fields } = file;
  return {
    ...inCamelCase(fields),
    tools: toolsOf(file),
    ...(knowledge.length > 0 && { knowledge }),
    model: { ...inCamelCase(model), cascade: inCamelCase(model.cascade), realtime: inCamelCase(model.realtime) },
    voice: inCamelCase(voice),
    speech: inCamelCase(speech),
    examples: allExamples(examples, rules),
    rules,
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
