/** An agent after loading: defaults merged in, references checked, templates not yet rendered. Never mutated. */
import type { Guardrail } from "./guardrail.ts";
import type { AgentRules } from "./rules.ts";

export interface AgentModelSettings {
  readonly deploymentId: string;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly maxTokens?: number | undefined;
}

export interface AgentVoice {
  readonly name: string;
  readonly style?: string | undefined;
  /** Relative speed as the cloud writes it: `+3%`. */
  readonly rate?: string | undefined;
  readonly pitch?: string | undefined;
}

export interface AgentSpeech {
  /** Silence after the last speech that ends a turn; the session's setting where absent. */
  readonly vadSilenceTimeoutMs?: number | undefined;
  readonly candidateLanguages: readonly string[];
  /** Names and terms that bias the recogniser. */
  readonly phrases: readonly string[];
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
  readonly configPath: string;
  /** The name of the tool by which other agents hand over to this one. */
  readonly handoffTrigger?: string | undefined;
  /** Names in the tool registry, `handoff_to_agent` and triggers not included. */
  readonly tools: readonly string[];
  readonly model: { readonly cascade: AgentModelSettings; readonly realtime: AgentModelSettings };
  readonly voice: AgentVoice;
  readonly speech: AgentSpeech;
  /** Sentences a caller may say to this agent, all rules' examples included; the local recogniser's grammar. */
  readonly examples: readonly string[];
  /** What the local model answers by. */
  readonly rules: AgentRules;
  /** What must not reach the voice. */
  readonly guardrails?: readonly Guardrail[] | undefined;
  readonly templateVars: Readonly<Record<string, unknown>>;
}
