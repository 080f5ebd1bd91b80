/** Words in a guess of which alone the recogniser is unsure are in brackets: the caller is asked about them, and not about the rest. */
const marked = /\[([^[\]]*)\]/g;

export function markDoubtful(words: string): string {
  return `[${words}]`;
}

export function doubtfulWords(guess: string): readonly string[] {
  return [...guess.matchAll(marked)].map(([, words = ""]) => words);
}

export function withoutMarks(guess: string): string {
  return guess.replaceAll(marked, "$1");
}
