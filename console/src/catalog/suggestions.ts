/** "Try saying": sentences that the agents are known to understand. */
import type { AgentInfo, ScenarioInfo } from "../api/service-api.ts";

/** Shown until the agents' own examples are known. */
const builtIn = ["I want to check my balance", "I lost my card", "What are your opening hours?", "Goodbye"];

const MAX_SUGGESTIONS = 5;

interface Catalog {
  readonly agents: readonly AgentInfo[];
  readonly scenario: ScenarioInfo | undefined;
  /** Who is talking; the start agent before the conversation begins. */
  readonly activeAgent: string | undefined;
}

/** The active agent's examples first, then one of each colleague in turn, so that a handoff can be tried. */
export function suggestions({ agents, scenario, activeAgent }: Catalog): readonly string[] {
  const takingPart = agents.filter(({ name }) => scenario === undefined || scenario.agents.includes(name));
  const active = takingPart.find(({ name }) => name === (activeAgent ?? scenario?.start_agent));
  const colleagues = takingPart.filter((agent) => agent !== active).map(({ examples }) => examples);
  const own = active?.examples.slice(0, 3) ?? [];
  const found = [...new Set([...own, ...roundRobin(colleagues)])].slice(0, MAX_SUGGESTIONS);
  return found.length === 0 ? builtIn : found;
}

/** What a recogniser that is built from the examples can tell apart. */
export function countPhrases(agents: readonly AgentInfo[]): number {
  return new Set(agents.flatMap(({ examples }) => examples)).size;
}

function roundRobin(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}
