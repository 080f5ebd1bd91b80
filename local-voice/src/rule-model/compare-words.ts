/**
 * Normalises and compares words for the matcher: lower case, no punctuation, no fillers, tolerant of endings and small
 * slips.
 */

/** Filled pauses, which mean nothing. */
const fillers = new Set([
  "um",
  "uh",
  "er",
  "ah",
  "hmm",
  "please",
  "hi",
  "hello",
  "hey",
  "okay",
  "ok",
  "well",
  "so",
  "just",
  "actually",
  "like",
  "damn",
  "damned",
  "fucking",
  "bloody",
  "goddamn",
]);

/** Contractions and synonyms. */
const expansions: Readonly<Record<string, readonly string[]>> = {
  "what's": ["what", "is"],
  "where's": ["where", "is"],
  "who's": ["who", "is"],
  "there's": ["there", "is"],
  "that's": ["that", "is"],
  "it's": ["it", "is"],
  "i'm": ["i", "am"],
  "i'd": ["i", "would"],
  "i'll": ["i", "will"],
  "i've": ["i", "have"],
  "didn't": ["did", "not"],
  "don't": ["do", "not"],
  "doesn't": ["does", "not"],
  "isn't": ["is", "not"],
  "wasn't": ["was", "not"],
  "can't": ["cannot"],
  "couldn't": ["could", "not"],
  wanna: ["want", "to"],
  gotta: ["have", "to"],
  someone: ["somebody"],
  anyone: ["anybody"],
  thx: ["thanks"],
  nope: ["no"],
  nah: ["no"],
  nevermind: ["never", "mind"],
  "401k": ["four", "oh", "one", "k"],
};

/**
 * Words in the form in which they are compared with examples. Values that are stored (a name, a note) keep the original
 * words.
 */
export function expanded(tokens: readonly string[]): readonly string[] {
  return tokens.flatMap((token) => expansions[token] ?? [token]);
}

export function isDenial(word: string): boolean {
  return word === "not" || word === "never" || word === "cannot" || word.endsWith("n't");
}

/** Shorter words are too easily confused. */
const shortestTolerated = 4;
const longestEnding = 3;
const sameStem = 0.95;

export function tokenise(text: string): readonly string[] {
  return text
    .toLowerCase()
    .replaceAll(/[’`]/g, "'")
    .replaceAll(/[^a-z0-9'$.,{}_\s-]/g, " ")
    .replaceAll(/(?<!\d)[.,]|[.,](?!\d)/g, " ")
    .replaceAll("-", " ")
    .split(/\s+/)
    .map((word) => word.replaceAll(/^'+|'+$/g, ""))
    .filter((word) => word !== "");
}

export function withoutFillers(tokens: readonly string[]): readonly string[] {
  const kept = tokens.filter((token) => !fillers.has(token));
  return kept.length === 0 ? tokens : kept;
}

/** A word and its stem. */
export interface Word {
  readonly text: string;
  readonly stem: string;
}

export function toWord(text: string): Word {
  return { text, stem: text.replace(/'s$/, "").replace(/(ing|ed|es|s|ly)$/, "") };
}

/** 1 for the same word, less for the same word with another ending or a slip, 0 for another word. */
export function wordLikeness(left: Word, right: Word): number {
  if (left.text === right.text) return 1;
  const shorter = Math.min(left.text.length, right.text.length);
  const longer = Math.max(left.text.length, right.text.length);
  if (shorter < shortestTolerated || longer - shorter > longestEnding) return 0;
  if (left.stem === right.stem) return sameStem;
  // A slip leaves one end of a word intact; checking that first saves most comparisons.
  if (left.text[0] !== right.text[0] && left.text.slice(-3) !== right.text.slice(-3)) return 0;
  const distance = editDistance(left.text, right.text, shorter >= 7 ? 2 : 1);
  return distance === undefined ? 0 : 1 - distance / longer;
}

/** The same word except for one wrong letter; other endings count as other words ("check" is not "checking"). */
export function isSameWord(left: string, right: string): boolean {
  if (left === right) return true;
  return Math.min(left.length, right.length) >= 5 && editDistance(left, right, 1) !== undefined;
}

/** The length of words up to which slips are tolerated. Longer words have to be equal. */
const longestCompared = 40;
// Two rows shared by all comparisons, because a turn makes thousands of them.
const rows = [new Uint8Array(longestCompared + 2), new Uint8Array(longestCompared + 2)] as const;

/** Levenshtein distance, or undefined if it is above `limit`: only cells this close to the diagonal are computed. */
function editDistance(left: string, right: string, limit: number): number | undefined {
  if (Math.abs(left.length - right.length) > limit || Math.max(left.length, right.length) > longestCompared)
    return undefined;
  const beyond = limit + 1;
  let [previous, current]: readonly [Uint8Array, Uint8Array] = rows;
  for (let column = 0; column <= Math.min(right.length, beyond); column++) previous[column] = column;
  for (let row = 1; row <= left.length; row++) {
    const first = Math.max(1, row - limit);
    const last = Math.min(right.length, row + limit);
    let before = first === 1 ? row : beyond;
    let smallest = before;
    current[first - 1] = before;
    const letter = left.codePointAt(row - 1);
    for (let column = first; column <= last; column++) {
      const substitution = (previous[column - 1] ?? 0) + (letter === right.codePointAt(column - 1) ? 0 : 1);
      before = Math.min(substitution, (previous[column] ?? 0) + 1, before + 1);
      current[column] = before;
      if (before < smallest) smallest = before;
    }
    current[last + 1] = beyond;
    if (smallest > limit) return undefined;
    [previous, current] = [current, previous];
  }
  const distance = previous[right.length] ?? beyond;
  return distance <= limit ? distance : undefined;
}
