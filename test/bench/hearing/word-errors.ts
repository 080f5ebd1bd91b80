/** How many words of a sentence were recognised otherwise, were left out or came in addition, without regard to capitals and punctuation. */
export interface WordErrors {
  readonly words: number;
  readonly errors: number;
}

export function wordErrors(said: string, recognised: string): WordErrors {
  const [reference, hypothesis] = [wordsIn(said), wordsIn(recognised)];
  // Levenshtein's distance, row by row.
  let before = hypothesis.map((_, at) => at + 1);
  for (const [row, word] of reference.entries()) {
    let diagonal = row;
    let left = row + 1;
    before = before.map((above, at) => {
      const distance = Math.min(above + 1, left + 1, diagonal + (hypothesis[at] === word ? 0 : 1));
      diagonal = above;
      left = distance;
      return distance;
    });
  }
  return { words: reference.length, errors: before.at(-1) ?? reference.length };
}

function wordsIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9' ]+/g, " ")
    .split(" ")
    .filter((word) => word !== "");
}
