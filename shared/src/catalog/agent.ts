/** An agent after loading: defaults merged in, references checked, templates not yet rendered. Never mutated. */
import { z } from "zod";
import type { AfterCall } from "../contracts/agents/after-call-document.ts";
import type { Guardrail } from "./guardrail.ts";
import type { CompiledRules } from "./catalog-language.ts";
import type { CamelCased } from "../platform/camel-case.ts";
import type { PlainObject } from "../platform/plain-object.ts";
import { maxLanguages, maxPhraseCharacters, maxPhrases } from "./definition-limits.ts";
import { knownLanguage } from "./known-languages.ts";
import { waitingSounds } from "./waiting-sounds.ts";

/** How much a reasoning model thinks before it answers, and how verbose it is. Models differ in the values they support. */
export const reasoningEfforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];
export const verbosities = ["low", "medium", "high"] as const;
export type Verbosity = (typeof verbosities)[number];

export const modelSettings = z.strictObject({
  deployment_id: z.string().min(1).max(128),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  max_tokens: z.int().min(1).max(16_384).optional(),
  reasoning_effort: z.enum(reasoningEfforts).optional(),
  verbosity: z.enum(verbosities).optional(),
});

/** No realtime model supports these, so they are rejected rather than ignored. */
const onlyOfChat = z.never("a realtime model has no such setting").optional();
/** For realtime models that reason: whether one response may call several tools. */
const parallelToolCalls = { parallel_tool_calls: z.boolean().optional() };
export const realtimeSettings = modelSettings.extend({
  top_p: onlyOfChat,
  verbosity: onlyOfChat,
  ...parallelToolCalls,
});

const settingsOfAnyModel = modelSettings.extend(parallelToolCalls);
export type AgentModelSettings = CamelCased<z.output<typeof settingsOfAnyModel>>;

/** Relative speed or pitch as the cloud writes it. */
const relativePercent = z.string().regex(/^[+-]\d{1,3}(\.\d+)?%$/, "expected a signed percentage such as +3%");

export const voiceSettings = z.strictObject({
  name: z.string().min(1).max(128),
  style: z.string().min(1).max(64).optional(),
  rate: relativePercent.optional(),
  pitch: relativePercent.optional(),
  /** The deployment of a custom voice. */
  endpoint_id: z.string().min(1).max(128).optional(),
  /** The model of a personal voice; `name` then is a speaker profile. */
  personal_model: z.string().min(1).max(64).optional(),
});
export type AgentVoice = CamelCased<z.output<typeof voiceSettings>>;

export const speechSettings = z.strictObject({
  /** Silence that ends a turn; the session's setting if absent. */
  vad_silence_timeout_ms: z.int().min(100).max(5000).optional(),
  /** The language that this agent understands and speaks; `STT_LANGUAGE` if absent. */
  language: knownLanguage.optional(),
  candidate_languages: z.array(knownLanguage).max(maxLanguages).default([]),
  /** Names and terms that bias the recogniser. */
  phrases: z.array(z.string().min(1).max(maxPhraseCharacters)).max(maxPhrases).default([]),
  /** FILL-1: spoken while the model is slow; if there are none, the service's own. */
  fillers: z.array(z.string().min(1).max(128)).max(10).optional(),
  /** SOUND-1: heard while the agent works; the scenario's if absent. */
  waiting_sound: z.enum(waitingSounds).optional(),
});
export type AgentSpeech = CamelCased<z.output<typeof speechSettings>> & {
  /** LANG-11: in a conversation, the languages of its scenario among which the agent follows the caller. */
  readonly languages?: readonly string[] | undefined;
};

export interface PromptVersion {
  /** `v2`, as in `prompt.v2.md`. */
  readonly version: string;
  readonly prompt: string;
  readonly promptPath: string;
  /** Percent of the sessions. */
  readonly share: number;
}

/** An agent's files as somebody wrote them, without what it takes from the defaults. */
export interface WrittenAgent {
  readonly config: PlainObject;
  /** A function, because it is rarely needed. */
  rules(): PlainObject;
}

export interface Agent {
  readonly name: string;
  readonly description: string;
  /** Templates. If absent, the agent waits for the caller to speak first. */
  readonly greeting?: string | undefined;
  /** Spoken instead of `greeting` if the session has met this agent before. */
  readonly returnGreeting?: string | undefined;
  /** Template of the system prompt. */
  readonly prompt: string;
  readonly promptPath: string;
  /** Alternatives to `prompt`. The catalog of a session is compiled with one of them. */
  readonly otherPrompts?: readonly PromptVersion[] | undefined;
  /** In a session, for an agent with several prompts: the version of `prompt`. */
  readonly promptVersion?: string | undefined;
  readonly configPath: string;
  /** The name of the tool by which other agents hand over to this one. */
  readonly handoffTrigger?: string | undefined;
  /** The names of the sources in which it looks things up. */
  readonly knowledge?: readonly string[] | undefined;
  /** Names in the tool registry, `handoff_to_agent` and triggers not included. */
  readonly tools: readonly string[];
  readonly model: {
    readonly cascade: AgentModelSettings;
    readonly realtime: AgentModelSettings;
    /** TOOL-11: how many responses of one turn may call tools; the service's default if absent. */
    readonly maxToolRounds?: number | undefined;
  };
  readonly voice: AgentVoice;
  readonly speech: AgentSpeech;
  /** Sentences that a caller may say to this agent, those of its rules included. A hint for any recogniser. */
  readonly examples: readonly string[];
  /** The rules for a rule-based model, in the language that was given to the catalog. */
  readonly rules?: CompiledRules | undefined;
  /** What the agent must not say. */
  readonly guardrails?: readonly Guardrail[] | undefined;
  readonly templateVars: Readonly<Record<string, unknown>>;
  /** The notes that are made of an ended conversation in which the agent has taken part. */
  readonly afterCall?: AfterCall | undefined;
  /** Absent where a request made it. */
  readonly written?: WrittenAgent | undefined;
}
