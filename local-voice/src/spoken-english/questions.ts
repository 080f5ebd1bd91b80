/** Questions, as far as their words show it. */

const openings = new Set(
  "what what's whats how how's when when's where where's who who's whose which why is are does do did can could will would should has have tell".split(
    " ",
  ),
);
/** "What?" and "who?" ask for the last words again, not for anything else. */
const leastWords = 3;

export function isQuestion(tokens: readonly string[], utterance: string): boolean {
  if (tokens.length < leastWords) return false;
  return openings.has(tokens[0] ?? "") || utterance.trimEnd().endsWith("?");
}

/** The question that the words end in; undefined where they end in none. */
export function lastQuestion(words: string): string | undefined {
  return /[^.!?]+\?$/.exec(words.trim())?.[0].trim();
}

const more = /\b(?:else|more|further|besides)\b/i;

/** "Is there anything else?", to which a no is a goodbye. */
export function offersMore(words: string): boolean {
  return more.test(lastQuestion(words) ?? "");
}
