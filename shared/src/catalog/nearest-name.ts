/** Finds the name that somebody meant by a misspelt one. */

/** One letter in four may be wrong, added, left out or exchanged with its neighbour. */
const lettersPerMistake = 4;

/** ` (did you mean "…"?)`, or nothing where no name is near. */
export function didYouMean(written: string, names: Iterable<string>): string {
  const near = nearestName(written, names);
  return near === undefined ? "" : ` (did you mean "${near}"?)`;
}

/** `most`: how many letters may be wrong. */
export function nearestName(
  written: string,
  names: Iterable<string>,
  most = Math.max(1, Math.floor(written.length / lettersPerMistake)),
): string | undefined {
  let nearest: string | undefined;
  let fewest = most + 1;
  const lower = written.toLowerCase();
  const letters = lettersIn(lower);
  for (const name of names) {
    if (Math.abs(name.length - written.length) >= fewest) continue;
    const other = name.toLowerCase();
    if (mistakesAtLeast(letters, lettersIn(other)) >= fewest) continue;
    const mistakes = mistakesBetween(lower, other, fewest);
    if (mistakes < fewest) [nearest, fewest] = [name, mistakes];
  }
  return nearest;
}

/** A bit set of the letters that occur. Some letters share a bit. */
function lettersIn(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

/**
 * One mistake brings at most one letter that the other name lacks, and takes at most one away. This rules out nearly all names: every start of a
 * process compares its whole environment with every setting, and for the hundred variables of a functions app the distances took 43 ms.
 */
function mistakesAtLeast(one: number, other: number): number {
  return Math.max(bitsIn(one & ~other), bitsIn(other & ~one));
}

function bitsIn(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

/** The optimal string alignment distance, row by row, or `limit` if it is not below that. */
function mistakesBetween(one: string, other: string, limit: number): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isExchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1));
      next.push(isExchanged ? Math.min(least, (before[j - 2] ?? 0) + 1) : least);
    }
    // Later rows are derived from these two, and are never less than both.
    if (Math.min(...next) >= limit && Math.min(...row) >= limit) return limit;
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
