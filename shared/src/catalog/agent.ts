/** An agent's files as somebody wrote them, without what it takes from the defaults. */
export interface WrittenAgent {
  readonly config: PlainObject;
  /** A function, because it is rarely needed. */
  rules(): PlainObject;
}

/** An agent after loading: defaults merged in, references checked, templates not yet rendered. Never mutated. */
import type { AfterCall } from "../contracts/agents/after-call-document.ts";
import type { Guardrail } from "./guardrail.ts";
import type { CompiledRules } from "./catalog-language.ts";
import type { PlainObject } from "../platform/plain-object.ts";
import type { WaitingSoundName } from "./waiting-sounds.ts";

/** How much a reasoning model thinks before it answers, and how verbose it is. Models differ in the values they support. */
export const reasoningEfforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
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
  /** For realtime models that reason: whether one response may call several tools. */
  readonly parallelToolCalls?: boolean | undefined;
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
  /** Silence that ends a turn; the session's setting if absent. */
  readonly vadSilenceTimeoutMs?: number | undefined;
  /** The language that this agent understands and speaks; `STT_LANGUAGE` if absent. */
  readonly language?: string | undefined;
  readonly candidateLanguages: readonly string[];
  /** LANG-11: in a conversation, the languages of its scenario among which the agent follows the caller. */
  readonly languages?: readonly string[] | undefined;
  /** Names and terms that bias the recogniser. */
  readonly phrases: readonly string[];
  /** FILL-1: spoken while the model is slow; if there are none, the service's own. */
  readonly fillers?: readonly string[] | undefined;
  /** SOUND-1: heard while the agent works; the scenario's if absent. */
  readonly waitingSound?: WaitingSoundName | undefined;
}

export interface PromptVersion {
  /** `v2`, as in `prompt.v2.md`. */
  readonly version: string;
  readonly prompt: string;
  readonly promptPath: string;
  /** Percent of the sessions. */
  readonly share: number;
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
  /** Beside `prompt`; which one a session has is decided when its catalog is compiled. */
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
  /** What is noted of a conversation in which it has taken part, once that is over. */
  readonly afterCall?: AfterCall | undefined;
  /** Absent where a request made it. */
  readonly written?: WrittenAgent | undefined;
}
