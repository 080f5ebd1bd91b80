/** The language of `rules.yaml` and English values in templates, as the catalog's loader takes them. */
import type { CatalogLanguage, CompiledRules, RuleProblem, RulesSource } from "@voice/shared/catalog/catalog-language";
import { deepMerge, isPlainObject } from "@voice/shared/catalog/deep-merge";
import { schemaProblems } from "@voice/shared/catalog/problems";
import { templateFilters } from "../spoken-english/template-filters.ts";
import { availableRules } from "./available-rules.ts";
import { tooMuchToSay } from "./count-sentences.ts";
import { RuleSet } from "./rule-set.ts";
import { rulesFile, toAgentRules } from "./rules-file.ts";

export const catalogLanguage: CatalogLanguage = { filters: templateFilters, compileRules };

function compileRules({ own, common, tools }: RulesSource): CompiledRules | { readonly problems: RuleProblem[] } {
  const parsed = rulesFile.safeParse(deepMerge(common, own));
  if (!parsed.success)
    return {
      problems: schemaProblems("", parsed.error).map(({ key, message }) => ({ source: "own", key, message })),
    };
  const rules = toAgentRules(parsed.data);
  const excess = tooMuchToSay(rules);
  if (excess !== undefined)
    return { problems: [{ source: "own", key: `intents.${excess.intent}.examples`, message: excess.message }] };
  const { intents, escalation } = own;
  const written = {
    intents: new Set(isPlainObject(intents) ? Object.keys(intents) : []),
    escalation: escalation !== undefined,
  };
  return new RuleSet(availableRules(rules, tools, written.intents), tools, written);
}
