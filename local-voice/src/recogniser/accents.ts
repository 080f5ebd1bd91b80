/**
 * How a word is said where the dictionary's American pronunciation is not: in England and much of the rest of the world an R
 * before a consonant, or at the end of a word, is not heard. By rule, so that names and new words have it, too. Pure.
 */

const vowels = new Set("AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW".split(" "));
/** After these something of the R is left: "near", "there". */
const closeVowels = new Set(["EH", "IH", "IY", "UH"]);
const schwa = "AH";

/** In the dictionary's phones; none where the word is said alike. */
export function accentedPronunciations(usual: string): readonly string[] {
  const phones = usual.split(" ");
  const said = phones.flatMap((phone, at) => {
    const [before = "", next = ""] = [phones[at - 1], phones[at + 1]];
    if (vowels.has(next)) return [phone];
    if (phone === "ER") return [schwa];
    if (phone !== "R" || !vowels.has(before)) return [phone];
    return closeVowels.has(before) ? [schwa] : [];
  });
  const accented = said.join(" ");
  return accented === usual ? [] : [accented];
}
