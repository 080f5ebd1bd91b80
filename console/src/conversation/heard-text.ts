/**
 * What an agent meant to say and nobody heard, because it was interrupted. The pieces of an answer may have been spaced
 * otherwise than the service's report of what was heard, so spaces do not count. Empty where the two are not the same words.
 */
export function unheardText(heard: string, meant: string): string {
  let heardAt = skipSpace(heard, 0);
  let meantEnd = 0;
  while (heardAt < heard.length) {
    const meantAt = skipSpace(meant, meantEnd);
    if (heard[heardAt] !== meant[meantAt]) return "";
    heardAt = skipSpace(heard, heardAt + 1);
    meantEnd = meantAt + 1;
  }
  return meant.slice(meantEnd);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at]?.trim() === "") at += 1;
  return at;
}
