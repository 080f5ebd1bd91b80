/** How many sentences examples would make, counted before any is made: a kilobyte can stand for billions. */
import { maxSpokenSentences } from "./rule-limits.ts";
import type { AgentRules, Intent } from "./rules.ts";

const placeholder = /\{([a-z][a-z0-9_]*)\}/g;

export interface TooManySentences {
  readonly intent: string;
  readonly message: string;
}

/** The intent that takes the agent beyond its limit, or undefined when there is room for all. */
export function tooManySentences(rules: AgentRules): TooManySentences | undefined {
  let total = 0;
  for (const intent of rules.intents) {
    const sentences = sentencesOf(intent);
    total += sentences;
    if (total <= maxSpokenSentences) continue;
    const own = sentences > maxSpokenSentences ? `more than ${maxSpokenSentences}` : String(sentences);
    const message = `spoken out in full they are ${own} sentences; an agent may have ${maxSpokenSentences} in all`;
    return { intent: intent.name, message };
  }
  return undefined;
}

/** The words of every choice in every combination, as the matcher compares them. */
function sentencesOf(intent: Intent): number {
  const wordings = new Map(intent.slots.map((slot) => [slot.name, Object.values(slot.options ?? {}).flat().length]));
  const answers = intent.slots.flatMap((slot) => [...(slot.answers ?? []), `{${slot.name}}`]);
  let total = 0;
  for (const sentence of [...intent.examples, ...answers]) {
    let combinations = 1;
    for (const [, name = ""] of sentence.matchAll(placeholder)) {
      combinations *= Math.max(1, wordings.get(name) ?? 1);
      if (combinations > maxSpokenSentences) return combinations;
    }
    total += combinations;
  }
  return total;
}
