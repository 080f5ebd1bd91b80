/**
 * Models that reason before they respond. Their reasoning counts as output tokens, so a limit for the response has to leave room for it,
 * and the caller hears silence meanwhile.
 */
import type { ReasoningEffort, Verbosity } from "@voice/shared/catalog/agent";
import type { ModelSettings } from "@voice/provider-kit/ports/language-model";

export interface ReasoningDefaults {
  /** Applies to every model of the service; if absent, only to those whose name shows that they reason. */
  readonly effort: ReasoningEffort | undefined;
  /** Applies if neither a setting nor a name decides. */
  readonly otherwise?: ReasoningEffort | undefined;
  readonly verbosity: Verbosity | undefined;
  /** Tokens on top of an agent's `max_tokens`. */
  readonly tokens: number;
}

export const defaultReasoning: ReasoningDefaults = { effort: undefined, verbosity: undefined, tokens: 2_000 };

/**
 * OpenAI's names of these models; a deployment with another name needs the setting. The chat variants do not reason.
 */
const reasoningName = /^(?:o\d|gpt-5(?!.*chat))/i;

/** The lowest effort that all of these models accept; only some know `none` and `minimal`. */
const leastEffort: ReasoningEffort = "low";
/** These models accept tools in a chat completion only if they do not reason, and agents have tools. */
const silentName = /^gpt-(?:5\.[4-9]|[6-9])(?!.*chat)/i;

export interface Reasoning {
  readonly effort: ReasoningEffort | undefined;
  readonly verbosity: Verbosity | undefined;
  readonly maxTokens: number | undefined;
}

export function reasoningOf(settings: ModelSettings, deploymentId: string, defaults: ReasoningDefaults): Reasoning {
  const effort = settings.reasoningEffort ?? defaults.effort ?? effortByName(deploymentId) ?? defaults.otherwise;
  const { maxTokens } = settings;
  const budget = effort === undefined || effort === "none" ? 0 : defaults.tokens;
  return {
    effort,
    verbosity: settings.verbosity ?? defaults.verbosity,
    maxTokens: maxTokens === undefined ? undefined : maxTokens + budget,
  };
}

function effortByName(deploymentId: string): ReasoningEffort | undefined {
  if (silentName.test(deploymentId)) return "none";
  return reasoningName.test(deploymentId) ? leastEffort : undefined;
}
