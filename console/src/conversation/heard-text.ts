/**
 * The part of an agent's answer that nobody heard because of an interruption. The fragments of an answer may be spaced
 * differently from the service's report of what was heard, so spaces are ignored. Empty if the two do not match.
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
