/** The language of `rules.yaml`, and the English template filters, as the catalog's loader expects them. */
import type { CatalogLanguage, CompiledRules, RuleProblem, RulesSource } from "@voice/shared/catalog/catalog-language";
import { deepMerge } from "@voice/shared/catalog/deep-merge";
import { isPlainObject } from "@voice/shared/platform/plain-object";
import { schemaProblems } from "@voice/shared/catalog/problems";
import type { Steps } from "@voice/shared/platform/steps";
import { templateFilters } from "@voice/shared/languages/template-filters";
import { spokenExamples, wordingsOf } from "./expand-examples.ts";
import { RuleSet } from "./rule-set.ts";
import type { AgentRules, Intent } from "./rules.ts";
import { readRulesFile, rulesSchema, toAgentRules } from "./rules-file.ts";
import { maxDifferentWords, maxSpokenSentences, maxSpokenWords } from "./rule-limits.ts";

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

interface TooMuchToSay {
  readonly intent: string;
  readonly message: string;
}

/**
 * The intent with which an agent's examples amount to more than a caller's words can be compared with, before anything is made of them;
 * undefined if all fit.
 */
function* tooMuchToSay(rules: AgentRules): Steps<TooMuchToSay | undefined> {
  let sentences = 0;
  let words = 0;
  const different = new Set<string>();
  for (const intent of rules.intents) {
    const texts = [...wordingsOf(intent), ...choicesOf(intent)];
    const own = texts.flatMap((text) => text.toLowerCase().trim().split(/\s+/));
    sentences += texts.length;
    words += own.length;
    if (sentences > maxSpokenSentences)
      return tooMany(intent, texts.length, maxSpokenSentences, "sentences and values");
    if (words > maxSpokenWords) return tooMany(intent, own.length, maxSpokenWords, "words");
    for (const word of own) different.add(word);
    if (different.size > maxDifferentWords)
      return {
        intent: intent.name,
        message: `with it the agent has more than ${maxDifferentWords} different words`,
      };
    yield;
  }
  return undefined;
}

function tooMany(intent: Intent, own: number, limit: number, what: string): TooMuchToSay {
  const message = `with the answers and corrections to them they are ${own} ${what}; an agent may have ${limit} in all`;
  return { intent: intent.name, message };
}

/** Every value of every choice counts once, however many examples have the choice. */
function choicesOf(intent: Intent): readonly string[] {
  return intent.slots.flatMap(({ options = {} }) => Object.values(options).flat());
}
