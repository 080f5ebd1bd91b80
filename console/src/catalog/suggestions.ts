/** "Try saying": sentences that the agents are known to understand. */
import type { AgentInfo, ScenarioInfo } from "../api/service-api.ts";

/** Shown until the agents' own examples are known. */
const builtIn = ["I want to check my balance", "I lost my card", "What are your opening hours?", "Goodbye"];

const MAX_SUGGESTIONS = 5;
/** Of the agent who has the floor; the rest are for its colleagues, so that a handoff can be tried. */
const MAX_OWN = 3;

interface Catalog {
  readonly agents: readonly AgentInfo[];
  readonly scenario: ScenarioInfo | undefined;
  /** Who is talking; the start agent before the conversation begins. */
  readonly activeAgent: string | undefined;
}

export function suggestions({ agents, scenario, activeAgent }: Catalog): readonly string[] {
  const rarity = countUses(agents);
  /** What only this agent does before what every agent does. */
  const characteristic = ({ examples }: AgentInfo): string[] =>
    examples.toSorted((left, right) => (rarity.get(left) ?? 0) - (rarity.get(right) ?? 0));
  const takingPart = agents.filter(({ name }) => scenario === undefined || scenario.agents.includes(name));
  const active = takingPart.find(({ name }) => name === (activeAgent ?? scenario?.start_agent));
  const own = active === undefined ? [] : characteristic(active);
  const others = takingPart.filter((agent) => agent !== active).map(characteristic);
  const found = new Set([...own.slice(0, MAX_OWN), ...roundRobin(others), ...own]);
  return found.size === 0 ? builtIn : [...found].slice(0, MAX_SUGGESTIONS).map(toSentence);
}

/** How many agents understand each sentence. */
function countUses(agents: readonly AgentInfo[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const example of agents.flatMap(({ examples }) => examples)) uses.set(example, (uses.get(example) ?? 0) + 1);
  return uses;
}

function roundRobin(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}

const questionWords = /^(?:what|when|where|which|who|why|how|can|could|do|does|is|are|will|would|may)\b/i;

/** Examples are written as a recogniser hears them: lower case, no punctuation. */
function toSentence(example: string): string {
  const text = example.replaceAll(/\bi\b/g, "I");
  const ending = questionWords.test(text) && !/[.?!]$/.test(text) ? "?" : "";
  return text.charAt(0).toUpperCase() + text.slice(1) + ending;
}
