/** Which parts of the catalog a set of dialogues has exercised, and which it has not. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { HeldDialogue } from "@voice/local/dialogues/hold-dialogue";

export interface Uncovered {
  readonly agents: readonly string[];
  /** `scenario: from → to` */
  readonly handoffs: readonly string[];
  readonly tools: readonly string[];
}

export function findUncovered(held: readonly HeldDialogue[], catalog: Catalog, tools: Iterable<string>): Uncovered {
  const spoke = new Set<string>();
  const taken = new Set<string>();
  const called = new Set<string>();
  for (const { dialogue, steps } of held) {
    for (const { reply } of steps) {
      for (const { agent } of reply.says) spoke.add(agent);
      for (const { from, to } of reply.handoffs) taken.add(edgeName(dialogue.scenario, from, to));
      for (const { name } of reply.toolCalls) called.add(name);
    }
  }
  const edges = [...catalog.scenarios.values()].flatMap(({ name, handoffs }) =>
    handoffs.map(({ from, to }) => edgeName(name, from, to)),
  );
  return {
    agents: [...catalog.agents.values()].map(({ name }) => name).filter((name) => !spoke.has(name)),
    handoffs: edges.filter((edge) => !taken.has(edge)),
    tools: [...tools].filter((name) => !called.has(name)),
  };
}

function edgeName(scenario: string, from: string, to: string): string {
  return `${scenario}: ${from} → ${to}`;
}
