/** An agent's files as somebody wrote them, without what it takes from the defaults. */
export interface WrittenAgent {
  readonly config: PlainObject;
  /** Read when somebody asks: few do. */
  rules(): PlainObject;
}

/** An agent after loading: defaults merged in, references checked, templates not yet rendered. Never mutated. */
import type { PromptVersion } from "./prompt-versions.ts";
import type { Guardrail } from "./guardrail.ts";
import type { CompiledRules } from "./catalog-language.ts";
import type { PlainObject } from "./deep-merge.ts";

/** How much a reasoning model thinks before it answers, and how much it writes. Which of them a model knows differs. */
export const reasoningEfforts = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];
export const verbosities = ["low", "medium", "high"] as const;
export type Verbosity = (typeof verbosities)[number];

export interface AgentModelSettings {
  readonly deploymentId: string;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly reasoningEffort?: ReasoningEffort | undefined;
  readonly verbosity?: Verbosity | undefined;
}

export interface AgentVoice {
  readonly name: string;
  readonly style?: string | undefined;
  /** Relative speed as the cloud writes it: `+3%`. */
  readonly rate?: string | undefined;
  readonly pitch?: string | undefined;
  /** The deployment of a custom voice. */
  readonly endpointId?: string | undefined;
  /** The model of a personal voice; `name` then is a speaker profile. */
  readonly personalModel?: string | undefined;
}

export interface AgentSpeech {
  /** Silence after the last speech that ends a turn; the session's setting where absent. */
  readonly vadSilenceTimeoutMs?: number | undefined;
  /** What this agent hears and speaks; `STT_LANGUAGE` where absent. */
  readonly language?: string | undefined;
  readonly candidateLanguages: readonly string[];
  /** Names and terms that bias the recogniser. */
  readonly phrases: readonly string[];
  /** FILL-1: said while the model takes its time; the service's own where there are none. */
  readonly fillers?: readonly string[] | undefined;
}

export interface Agent {
  readonly name: string;
  readonly description: string;
  /** Templates; absent means that the agent waits for the caller. */
  readonly greeting?: string | undefined;
  /** Said instead of `greeting` when the session has met this agent before. */
  readonly returnGreeting?: string | undefined;
  /** Template of the system prompt. */
  readonly prompt: string;
  readonly promptPath: string;
  /** Beside `prompt`; which one a session has is decided when its catalog is compiled. */
  readonly otherPrompts?: readonly PromptVersion[] | undefined;
  /** In a session, of an agent that has several: which one `prompt` is. */
  readonly promptVersion?: string | undefined;
  readonly configPath: string;
  /** The name of the tool by which other agents hand over to this one. */
  readonly handoffTrigger?: string | undefined;
  /** Names in the tool registry, `handoff_to_agent` and triggers not included. */
  readonly tools: readonly string[];
  readonly model: { readonly cascade: AgentModelSettings; readonly realtime: AgentModelSettings };
  readonly voice: AgentVoice;
  readonly speech: AgentSpeech;
  /** Sentences that a caller may say to this agent, those of its rules included. A hint for any recogniser. */
  readonly examples: readonly string[];
  /** What a model without weights answers by, in a language that was given to the catalog. */
  readonly rules?: CompiledRules | undefined;
  /** What must not reach the voice. */
  readonly guardrails?: readonly Guardrail[] | undefined;
  readonly templateVars: Readonly<Record<string, unknown>>;
  /** Absent where a request made it. */
  readonly written?: WrittenAgent | undefined;
}
