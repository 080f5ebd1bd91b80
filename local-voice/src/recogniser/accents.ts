/**
 * How a word is said where the dictionary's American pronunciation is not. By rule, so that names and new words have it, too:
 *   - in England and much of the rest of the world an R before a consonant, or at the end of a word, is not heard;
 *   - there, "bath" and often "trap" have the open vowel of "father", and "lot" the rounded one of "thought";
 *   - in the north of England, and in many second languages, "cup" has the vowel of "put".
 * Each is said together with those before it, as people say them. Pure.
 */

const vowels = new Set("AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW".split(" "));
/** After these something of the R is left: "near", "there". */
const closeVowels = new Set(["EH", "IH", "IY", "UH"]);
const schwa = "AH";

/** The vowels of the dictionary that are others there. */
const openVowels: Readonly<Record<string, string>> = { AE: "AA", AA: "AO" };
const northernVowels: Readonly<Record<string, string>> = { ...openVowels, AH: "UH" };

/** In the dictionary's phones; none where the word is said alike. */
export function accentedPronunciations(usual: string): readonly string[] {
  const british = withoutR(usual.split(" "));
  const accented = [british, withVowels(british, openVowels), withVowels(british, northernVowels)];
  return [...new Set(accented.map((phones) => phones.join(" ")))].filter((phones) => phones !== usual);
}

function withoutR(phones: readonly string[]): readonly string[] {
  return phones.flatMap((phone, at) => {
    const [before = "", next = ""] = [phones[at - 1], phones[at + 1]];
    if (vowels.has(next)) return [phone];
    if (phone === "ER") return [schwa];
    if (phone !== "R" || !vowels.has(before)) return [phone];
    return closeVowels.has(before) ? [schwa] : [];
  });
}

function withVowels(phones: readonly string[], others: Readonly<Record<string, string>>): readonly string[] {
  return phones.map((phone) => others[phone] ?? phone);
}
