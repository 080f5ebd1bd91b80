/** How written sentences end: with the punctuation of each script, and what may follow it. */

/** Latin, Chinese and Japanese, Arabic, Greek, Armenian. */
const questionMarks = "?？؟\u037e՞";
const spacedMarks = `.!…${questionMarks}`;
/** Scripts in which the mark need not be followed by a space: Chinese and Japanese, Hindi, Urdu, Armenian, Burmese, Ethiopic, Khmer. */
const unspacedMarks = "。！？｡।॥۔։။።៕";

const boundary = new RegExp(`(?<=[${spacedMarks}])\\s+|(?<=[${unspacedMarks}])`, "u");

export const endOfSentence = new RegExp(`[${spacedMarks}${unspacedMarks}]["'”’)»」』]*\\s*$`, "u");
/** The mark, followed only by what is not a word: quotation marks, brackets, a smiley. */
export const endOfQuestion = new RegExp(`[${questionMarks}][\\s\\p{P}\\p{S}\\p{M}]*$`, "u");

/** Includes the punctuation after each sentence. A space may also precede a question mark: "Voulez-vous continuer ?" */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const piece of text.split(boundary)) {
    const isSentence = /[\p{L}\p{N}]/u.test(piece);
    if (isSentence || sentences.length === 0) sentences.push(piece.trim());
    else sentences.push(`${sentences.pop()} ${piece}`.trim());
  }
  return sentences;
}
