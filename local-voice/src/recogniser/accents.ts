/**
 * How a word is pronounced by speakers whose accent differs from the dictionary's American pronunciation. Derived by rule, so that names
 * and new words are covered, too:
 * - in England and much of the rest of the world an R before a consonant, or at the end of a word, is silent;
 * - there, "bath" and often "trap" have the open vowel of "father", and "lot" the rounded one of "thought";
 * - in the north of England, and in many second languages, "cup" has the vowel of "put".
 *
 * Each rule is applied in addition to those before it, because people combine them in this way. Pure.
 */

const vowels = new Set("AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW".split(" "));
/** After these vowels a part of the R remains audible: "near", "there". */
const closeVowels = new Set(["EH", "IH", "IY", "UH"]);
const schwa = "AH";

/** The vowels of the dictionary that differ there. */
const openVowels: Readonly<Record<string, string>> = { AE: "AA", AA: "AO" };
const northernVowels: Readonly<Record<string, string>> = { ...openVowels, AH: "UH" };

/** In the dictionary's phones; empty if the word is pronounced alike. */
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
