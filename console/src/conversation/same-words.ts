/** Compares what was said without its punctuation and capitals, which a recogniser may add. */
export function sameWords(left: string, right: string): boolean {
  return wordsOf(left) === wordsOf(right);
}

export function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
