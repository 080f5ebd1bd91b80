/** "Try saying": sentences that the agents are known to understand. */
import type { AgentInfo, ScenarioInfo } from "../api/service-api.ts";

/** Shown until the agents' own examples are known. */
const builtIn = ["I want to check my balance", "I lost my card", "What are your opening hours?", "Goodbye"];

const maxSuggestions = 5;
/** This many suggestions are for the active agent; the rest are for other agents, to try a handoff. */
const maxOwnSentences = 3;

/** A sentence that more of the agents than this understand says little about the active one. */
const commonShare = 2 / 3;

interface Catalog {
  readonly agents: readonly AgentInfo[];
  readonly scenario: ScenarioInfo | undefined;
  /** The active agent, which is the start agent before the conversation begins. */
  readonly activeAgent: string | undefined;
}

export function suggestions({ agents, scenario, activeAgent }: Catalog): readonly string[] {
  const uses = countUses(agents);
  const isCommon = (example: string): boolean => (uses.get(example) ?? 0) > agents.length * commonShare;
  const takingPart = agents.filter(({ name }) => scenario === undefined || scenario.agents.includes(name));
  const active = takingPart.find(({ name }) => name === (activeAgent ?? scenario?.start_agent));
  // An agent's own examples follow those that it shares with others, so the last come first.
  const own = active?.examples.filter((example) => !isCommon(example)).toReversed() ?? [];
  const colleagues = takingPart.filter((agent) => agent !== active);
  const rarestFirst = (left: string, right: string): number => (uses.get(left) ?? 0) - (uses.get(right) ?? 0);
  const theirs = roundRobin(colleagues.map(({ examples }) => examples.toSorted(rarestFirst)));
  const found = new Set([...own.slice(0, maxOwnSentences), ...theirs, ...own, ...(active?.examples ?? [])]);
  return found.size === 0 ? builtIn : [...found].slice(0, maxSuggestions).map(toSentence);
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
