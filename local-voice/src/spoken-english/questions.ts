/** Recognises questions by their words. */

const openings = new Set(
  "what what's whats how how's when when's where where's who who's whose which why is are does do did can could will would should has have tell".split(
    " ",
  ),
);
/** "What?" and "who?" only ask for the last words to be repeated. */
const leastWords = 3;

export function isQuestion(tokens: readonly string[], utterance: string): boolean {
  if (tokens.length < leastWords) return false;
  return openings.has(tokens[0] ?? "") || utterance.trimEnd().endsWith("?");
}

/** The question with which the words end; undefined if they do not end with one. */
export function lastQuestion(words: string): string | undefined {
  return /[^.!?]+\?$/.exec(words.trim())?.[0].trim();
}

/** "Sure. Checking or savings?": the text before the question answers a request, and is not repeated. */
export function withoutLeadIn(words: string): string {
  const sentences = words.trim().match(/[^.!?]+[.!?]*/g) ?? [];
  if (sentences.at(-1)?.endsWith("?") !== true) return words;
  return sentences
    .slice(sentences.findIndex((sentence) => sentence.endsWith("?")))
    .join("")
    .trim();
}

const more = /\b(?:else|more|further|besides)\b/i;

/** "Is there anything else?": a no to this is a goodbye. */
export function offersMore(words: string): boolean {
  return more.test(lastQuestion(words) ?? "");
}
