/** The language of `rules.yaml`, and the English template filters, as the catalog's loader expects them. */
import type { CatalogLanguage, CompiledRules, RuleProblem, RulesSource } from "@voice/shared/catalog/catalog-language";
import { deepMerge } from "@voice/shared/catalog/deep-merge";
import { isPlainObject } from "@voice/shared/platform/plain-object";
import { schemaProblems } from "@voice/shared/catalog/problems";
import type { Steps } from "@voice/shared/platform/steps";
import { templateFilters } from "@voice/shared/languages/template-filters";
import { tooMuchToSay } from "./count-sentences.ts";
import { spokenExamples } from "./expand-examples.ts";
import { RuleSet } from "./rule-set.ts";
import type { AgentRules } from "./rules.ts";
import { readRulesFile, rulesSchema, toAgentRules } from "./rules-file.ts";

export const catalogLanguage: CatalogLanguage = { filters: templateFilters, compileRules };

function* compileRules({
  own,
  common,
  tools,
}: RulesSource): Steps<CompiledRules | { readonly problems: RuleProblem[] }> {
  const read = yield* readRulesFile(deepMerge(common, own));
  if ("error" in read)
    return {
      problems: schemaProblems("", read.error, rulesSchema).map(({ key, message }) => ({
        source: "own",
        key,
        message,
      })),
    };
  const rules = toAgentRules(read.file);
  const excess = yield* tooMuchToSay(rules);
  if (excess !== undefined)
    return { problems: [{ source: "own", key: `intents.${excess.intent}.examples`, message: excess.message }] };
  const { intents, escalation } = own;
  const written = {
    intents: new Set(isPlainObject(intents) ? Object.keys(intents) : []),
    escalation: escalation !== undefined,
  };
  const available = availableRules(rules, tools, written.intents);
  return new RuleSet(available, yield* spokenExamples(available), tools, written);
}

/**
 * Drops common intents whose tool the agent does not have. In the agent's own rules (`ownIntents`) such an intent is retained, so that it
 * is reported as a mistake.
 */
function availableRules(rules: AgentRules, tools: readonly string[], ownIntents: ReadonlySet<string>): AgentRules {
  const { escalation } = rules;
  const canEscalate = escalation.type !== "call" || tools.includes(escalation.tool);
  return {
    ...rules,
    intents: rules.intents.filter(
      ({ name, action }) => ownIntents.has(name) || action.type !== "call" || tools.includes(action.tool),
    ),
    escalation: canEscalate ? escalation : { type: "say", say: rules.fallback },
  };
}
