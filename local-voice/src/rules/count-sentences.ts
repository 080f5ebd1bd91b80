/**
 * Counts how many sentences the examples would expand to before expanding any, because a kilobyte can stand for
 * billions.
 */
import type { Steps } from "@voice/shared/platform/steps";
import { sentenceCount, wordingsOf } from "./expand-examples.ts";
import { maxDifferentWords, maxRecognisedSentences, maxSpokenSentences, maxSpokenWords } from "./rule-limits.ts";
import type { AgentRules, Intent } from "./rules.ts";

const placeholder = /\{([a-z][a-z0-9_]*)\}/g;

export interface TooMuchToSay {
  readonly intent: string;
  readonly message: string;
}

/** The intent with which the agent exceeds one of its limits; undefined if all fit. */
export function* tooMuchToSay(rules: AgentRules): Steps<TooMuchToSay | undefined> {
  let sentences = 0;
  let recognised = 0;
  let words = 0;
  const different = new Set<string>();
  for (const intent of rules.intents) {
    const own = sizeOf(intent);
    sentences += own.sentences;
    words += own.words;
    if (sentences > maxSpokenSentences) return tooMany(intent, own.sentences, maxSpokenSentences, "sentences");
    if (words > maxSpokenWords) return tooMany(intent, own.words, maxSpokenWords, "words");
    const listened = wordingsOf(intent).reduce((sum, wording) => sum + sentenceCount(wording, intent), 0);
    recognised += listened;
    if (recognised > maxRecognisedSentences)
      return tooMany(intent, listened, maxRecognisedSentences, "sentences with every name and correction");
    for (const word of wordsOf(intent)) different.add(word);
    if (different.size > maxDifferentWords)
      return {
        intent: intent.name,
        message: `with it the agent has more than ${maxDifferentWords} different words`,
      };
    yield;
  }
  return undefined;
}

function tooMany(intent: Intent, own: number, limit: number, what: string): TooMuchToSay {
  const size = own > limit ? `more than ${limit}` : String(own);
  const message = `spoken out in full they are ${size} ${what}; an agent may have ${limit} in all`;
  return { intent: intent.name, message };
}

/**
 * The words of all combinations of choices, as the matcher compares them, assuming that each wording is as long as the
 * longest.
 */
function sizeOf(intent: Intent): { readonly sentences: number; readonly words: number } {
  const slots = new Map(
    intent.slots.map((slot) => {
      const wordings = Object.values(slot.options ?? {}).flat();
      return [slot.name, { wordings: wordings.length, words: Math.max(1, ...wordings.map(wordCount)) }];
    }),
  );
  let sentences = 0;
  let words = 0;
  for (const sentence of sentencesOf(intent)) {
    let combinations = 1;
    let length = wordCount(sentence);
    for (const [, name = ""] of sentence.matchAll(placeholder)) {
      const slot = slots.get(name);
      combinations *= Math.max(1, slot?.wordings ?? 1);
      length += (slot?.words ?? 1) - 1;
      if (combinations > maxSpokenSentences) return { sentences: combinations, words: combinations * length };
    }
    sentences += combinations;
    words += combinations * length;
  }
  return { sentences, words };
}

function sentencesOf(intent: Intent): readonly string[] {
  return [...intent.examples, ...intent.slots.flatMap((slot) => [...(slot.answers ?? []), `{${slot.name}}`])];
}

function wordsOf(intent: Intent): readonly string[] {
  const wordings = intent.slots.flatMap((slot) => Object.values(slot.options ?? {}).flat());
  return [...sentencesOf(intent), ...wordings].flatMap((text) => text.toLowerCase().split(/\s+/));
}

function wordCount(text: string): number {
  return text.trim().split(/\s+/).length;
}
