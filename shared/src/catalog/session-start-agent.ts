/** Which agent begins a session's conversation. Pure. */
import type { Scenario } from "./scenario.ts";

interface Named {
  readonly name: string;
}

/**
 * The newest agent that was made for the session, unless a scenario was made for it as well and names its start agent.
 * Both lists have the oldest first.
 */
export function sessionStartAgent(
  scenario: Pick<Scenario, "name" | "startAgent">,
  own: { readonly agents: readonly Named[]; readonly scenarios: readonly Named[] },
): string {
  const isOwn = own.scenarios.some(({ name }) => name === scenario.name);
  return (isOwn ? undefined : own.agents.at(-1)?.name) ?? scenario.startAgent;
}
