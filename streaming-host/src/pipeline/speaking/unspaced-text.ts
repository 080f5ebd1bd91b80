/** Scripts without spaces between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese. */

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u;
/** In these scripts, one character is a syllable or a word and takes about as long to speak as three letters. */
const syllables = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u;
/** In these scripts a space divides phrases. */
const spacedPhrases = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Thai has the lowest code points of these scripts. */
const firstCode = 0x0e_00;
const words = new Intl.Segmenter(undefined, { granularity: "word" });
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function isUnspaced(character: string): boolean {
  return character.charCodeAt(0) >= firstCode && (unspaced.test(character) || isRareHan(character));
}

/** How long a UTF-16 unit takes to speak, in letters of Latin text. */
export function lettersOf(character: string): number {
  if (character.charCodeAt(0) < firstCode) return 1;
  if (isRareHan(character) || syllables.test(character)) return 3;
  return 1;
}

export function isPhraseSpace(before: string, character: string): boolean {
  return character === "\u3000" || (character === " " && spacedPhrases.test(before));
}

/** The last place at which the text can be cut between words, or at least between two visible characters; 0 if there is none. */
export function lastBoundary(scanned: string): number {
  const text = scanned.replace(/[\uD800-\uDBFF]$/, ""); // removes half a surrogate pair, whose other half comes next
  const lastWord = startOfLast(words, text);
  // A boundary near the beginning would leave a single syllable.
  return lastWord > text.length / 2 ? lastWord : startOfLast(graphemes, text);
}

/** The ends of words in text without spaces. */
export function wordEnds(text: string): number[] {
  return Array.from(words.segment(text))
    .filter(({ isWordLike = false }) => isWordLike)
    .map(({ index, segment }) => index + segment.length);
}

function startOfLast(segmenter: Intl.Segmenter, text: string): number {
  let last = 0;
  for (const { index } of segmenter.segment(text)) last = index;
  return last;
}

/** The high surrogate of a plane that contains only Han. */
function isRareHan(character: string): boolean {
  const code = character.charCodeAt(0);
  return code >= 0xd8_40 && code <= 0xd8_88;
}
