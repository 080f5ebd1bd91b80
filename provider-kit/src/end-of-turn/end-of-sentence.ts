/** How sentences end in writing: with a mark, in the form of each script, and what may stand after it. */

/** Latin, Chinese and Japanese, Arabic, Greek, Armenian. */
const questionMarks = "?？؟\u037e՞";
const spacedMarks = `.!…${questionMarks}`;
/** Scripts in which no space need follow: Chinese and Japanese, Hindi, Urdu, Armenian, Burmese, Ethiopic, Khmer. */
const unspacedMarks = "。！？｡।॥۔։။።៕";

const boundary = new RegExp(`(?<=[${spacedMarks}])\\s+|(?<=[${unspacedMarks}])`, "u");

export const endOfSentence = new RegExp(`[${spacedMarks}${unspacedMarks}]["'”’)»」』]*\\s*$`, "u");
/** With what is no word: quotation marks, brackets, a smiley. */
export const endOfQuestion = new RegExp(`[${questionMarks}][\\s\\p{P}\\p{S}\\p{M}]*$`, "u");

/** With the signs after them. A space may stand before a question mark, too: "Voulez-vous continuer ?" */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const piece of text.split(boundary)) {
    const isSentence = /[\p{L}\p{N}]/u.test(piece);
    if (isSentence || sentences.length === 0) sentences.push(piece.trim());
    else sentences.push(`${sentences.pop()} ${piece}`.trim());
  }
  return sentences;
}
