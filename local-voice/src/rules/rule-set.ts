/** Attaches an agent's rules to its catalog entry, and retrieves them for the rule model. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { CompiledRules, RuleProblem, RulesScope } from "@voice/shared/catalog/catalog-language";
import type { Steps } from "@voice/shared/platform/steps";
import { checkRules } from "./check-rules.ts";
import { noRules, type AgentRules } from "./rules.ts";

/** Intents from the agent's own document; the others are common to all agents. */
export interface WrittenRules {
  readonly intents: ReadonlySet<string>;
  readonly escalation: boolean;
}

export class RuleSet implements CompiledRules {
  readonly rules: AgentRules;
  readonly examples: readonly string[];
  readonly #tools: readonly string[];
  readonly #own: WrittenRules;

  constructor(rules: AgentRules, examples: readonly string[], tools: readonly string[], own: WrittenRules) {
    this.rules = rules;
    this.examples = examples;
    this.#tools = tools;
    this.#own = own;
  }

  /** The first example of each intent that has no slot. */
  get suggestions(): readonly string[] {
    return this.rules.intents.flatMap(({ examples }) => examples.find((example) => !example.includes("{")) ?? []);
  }

  *check(scope: RulesScope): Steps<readonly RuleProblem[]> {
    const problems = yield* checkRules(this.rules, { ...scope, agentTools: this.#tools });
    return problems.map(({ place, key, message }) => {
      const isOwn = place.intent === undefined ? this.#own.escalation : this.#own.intents.has(place.intent);
      return { source: isOwn ? "own" : "common", key, message };
    });
  }
}

/** For agents without compiled rules: answers every sentence in the same way. */
export function rulesOf(agent: Pick<Agent, "rules">): AgentRules {
  return agent.rules instanceof RuleSet ? agent.rules.rules : noRules;
}
