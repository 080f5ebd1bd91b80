/**
 * The parts of the catalog that depend on a natural language, supplied by the composition root: how values are put into
 * words, and what an agent's rules mean. Without it templates have only Liquid's own filters, and rules are ignored.
 */
import type { Steps } from "../platform/steps.ts";
import type { PlainObject } from "../platform/plain-object.ts";
import type { KnownTools } from "./known-tools.ts";
import type { TemplateFilters } from "./template.ts";

export interface CatalogLanguage {
  /** What prompts, greetings and rules may use besides Liquid's own filters: `{{ balance | money }}`. */
  readonly filters: TemplateFilters;
  compileRules(source: RulesSource): Steps<CompiledRules | { readonly problems: readonly RuleProblem[] }>;
}

export interface RulesSource {
  /** The agent's rules.yaml, or `rules` in the body of a request. */
  readonly own: PlainObject;
  /** `_rules.yaml`: what all agents have in common. */
  readonly common: PlainObject;
  /** The names of the agent's tools. */
  readonly tools: readonly string[];
}

/** An agent's compiled rules, which are opaque to the catalog. */
export interface CompiledRules {
  /** Sentences that a caller may say, for a recogniser to expect. */
  readonly examples: readonly string[];
  /** One sample sentence for each thing that the agent does. */
  readonly suggestions: readonly string[];
  /** References to tools, agents or variables that do not exist. */
  check(scope: RulesScope): Steps<readonly RuleProblem[]>;
}

export interface RulesScope {
  knowsAgent(name: string): boolean;
  readonly tools: KnownTools;
  /** Template variables of the agent and of its scenarios. */
  readonly variables: ReadonlySet<string>;
}

export interface RuleProblem {
  /** Whether the problem is in the agent's own rules or in the common ones. */
  readonly source: "own" | "common";
  /** Dotted path of the key; empty for the rules as a whole. */
  readonly key: string;
  readonly message: string;
}
