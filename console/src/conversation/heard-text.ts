/**
 * Which of the words that an agent meant to say were heard. The service reports the words of a whole turn at its end,
 * though several agents may have spoken in it and its pieces may have been spaced otherwise; so spaces do not count.
 */

export interface HeardText {
  /** The heard words, as the report spells them. */
  readonly text: string;
  /** What was meant and not heard. */
  readonly unheard: string;
  /** What was heard after these words. */
  readonly rest: string;
}

/** `undefined` when the two are not the same words. */
export function matchHeard(heard: string, meant: string): HeardText | undefined {
  let heardEnd = 0;
  let meantEnd = 0;
  for (;;) {
    const heardNext = skipSpace(heard, heardEnd);
    const meantNext = skipSpace(meant, meantEnd);
    if (meantNext === meant.length || heardNext === heard.length)
      return { text: heard.slice(0, heardEnd).trim(), unheard: meant.slice(meantEnd), rest: heard.slice(heardNext) };
    if (heard[heardNext] !== meant[meantNext]) return undefined;
    heardEnd = heardNext + 1;
    meantEnd = meantNext + 1;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at]?.trim() === "") at += 1;
  return at;
}
