/** A scenario drawn as text, for `npm run catalog:check`. */
import type { Scenario } from "./scenario.ts";

export function describeScenario(scenario: Scenario): readonly string[] {
  const reached = reachableAgents(scenario);
  const lines = scenario.agents.flatMap((agent) => {
    const marks = [agent === scenario.startAgent ? "start" : "", reached.has(agent) ? "" : "CANNOT BE REACHED"];
    const note = marks.filter((mark) => mark !== "").join(", ");
    const edges = scenario.handoffs
      .filter((edge) => edge.from === agent)
      .map((edge) => {
        const details = [edge.type, edge.shareContext ? "" : "no shared context", edge.tool ?? ""];
        return `    → ${edge.to} (${details.filter((detail) => detail !== "").join(", ")})`;
      });
    return [note === "" ? `  ${agent}` : `  ${agent} [${note}]`, ...edges];
  });
  return [`${scenario.name}: ${scenario.description}`, ...lines];
}

export function reachableAgents(scenario: Scenario): ReadonlySet<string> {
  const reached = new Set([scenario.startAgent]);
  for (const agent of reached) {
    for (const edge of scenario.handoffs) if (edge.from === agent) reached.add(edge.to);
  }
  return reached;
}
