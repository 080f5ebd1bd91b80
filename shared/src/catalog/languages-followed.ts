/** LANG-11: the languages among which an agent follows the caller. */
import type { Agent } from "./agent.ts";
import type { Scenario } from "./scenario.ts";

/** Empty if it does not. The agent as compiled: the language that a conversation speaks is added for each of them. */
export function languagesFollowed(scenario: Scenario, compiled: Agent | undefined): readonly string[] {
  return compiled === undefined || compiled.speech.language !== undefined ? [] : (scenario.languages ?? []);
}
