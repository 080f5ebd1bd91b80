/** People say several short phrases in one breath ("yeah, okay", "um, yes"), and no list can contain all combinations. */

/** More phrases at a time mean something else: "yes, yes, yes, yes". */
const mostPhrases = 3;
/** Longer texts are sentences. */
const mostWords = 8;

/** Whether the words are phrases of a list, one after another, and nothing else. */
export function consistOf(words: readonly string[], phrases: ReadonlySet<string>, most = mostPhrases): boolean {
  if (words.length === 0 || words.length > mostWords || most === 0) return false;
  for (let end = words.length; end > 0; end--) {
    if (!phrases.has(words.slice(0, end).join(" "))) continue;
    if (end === words.length || consistOf(words.slice(end), phrases, most - 1)) return true;
  }
  return false;
}
