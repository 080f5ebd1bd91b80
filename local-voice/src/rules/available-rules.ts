/** The rules that an agent can carry out with its own tools. */
import type { AgentRules } from "./rules.ts";

/**
 * Drops common intents whose tool the agent does not have. In the agent's own rules (`ownIntents`) such an intent is retained, so that it
 * is reported as a mistake.
 */
export function availableRules(
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
