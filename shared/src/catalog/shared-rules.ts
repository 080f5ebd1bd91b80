/** What of the shared rules (`_rules.yaml`) an agent can live up to. */
import type { AgentRules } from "./rules.ts";

/** A shared intent whose tool an agent does not list does not exist for it; for an intent of its own that is an error. */
export function withoutForeignTools(
  rules: AgentRules,
  tools: readonly string[],
  ownIntents: ReadonlySet<string>,
): AgentRules {
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
