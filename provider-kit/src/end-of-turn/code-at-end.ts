/** Codes that are read out at the end of a text: account and telephone numbers, spelled names. */
import type { Expected } from "@voice/provider-kit/ports/end-of-turn";
import type { EndOfTurnWords } from "@voice/shared/languages/end-of-turn-words";
import type { LanguagePack } from "@voice/shared/languages/language-pack";

type CodeLanguage = Pick<LanguagePack, "endOfTurn" | "numbers" | "questions">;

/**
 * The pieces of a code of unknown length with which the text ends, undefined if it ends with none: people pause 0.7 to 1 s between groups
 * of its digits, and between letters. A number at the end of a sentence is none ("a table for four"): a code is several digits in a row, or
 * a number after words that announce one, or nothing but a number.
 */
export function codeAtEnd(
  words: readonly string[],
  { kind }: Expected,
  { endOfTurn, numbers, questions }: CodeLanguage,
): readonly string[] | undefined {
  if (isSpelling(words, endOfTurn)) return [];
  // Most texts end in no number, and some languages take long to look for one in every word.
  if (numbers.find(words.slice(-1)).length === 0) return undefined;
  const runs = numbers.find(words.slice(-mostPieces));
  const offset = Math.max(0, words.length - mostPieces);
  const pieces = runs.slice(runs.findLastIndex(({ start }, index) => start !== runs[index - 1]?.end));
  const digits = pieces.map((piece) => piece.digits);
  if (kind === "digits" || digits.length > 2) return digits;
  if (digits.length === 2 && digits.every((piece) => piece.length === 1)) return digits;
  if (digits.length === 1 && isPronoun(words, endOfTurn)) return undefined;
  const before = words.slice(0, offset + (pieces[0]?.start ?? 0));
  if (kind === "nothing" && before.every((word) => endOfTurn.carriers.has(word))) return digits;
  const announced = before.slice(-wordsThatAnnounce).join(" ");
  return questions.code.test(announced) || questions.anyNumber.test(announced) ? digits : undefined;
}

/** Only letters of alphabets with lower case count; in other scripts a single character is a word. "9 p m" is a time. */
function isSpelling(words: readonly string[], { letters }: EndOfTurnWords): boolean {
  const last = words.at(-1) ?? "";
  const isTime = last === "m" && /^[ap]$/.test(words.at(-2) ?? "") && /\d|^o'clock$/.test(words.at(-3) ?? "");
  return /^\p{Ll}$/u.test(last) && !letters.has(last) && !isTime;
}

/** A number of a payment card, whose last digit is a checksum (ISO/IEC 7812), or a telephone number as North Americans group it. */
export function isWholeCode(pieces: readonly string[]): boolean {
  const digits = pieces.join("");
  if (digits.length === 15 || digits.length === 16) return hasCardChecksum(digits);
  return (
    pieces
      .slice(-3)
      .map(({ length }) => length)
      .join("-") === "3-3-4"
  );
}

/** How many words at the end are examined: more than anybody takes to read a code out. */
const mostPieces = 24;
/** How many words may announce a number: "My phone number, if you need it, is". */
const wordsThatAnnounce = 7;

/** "The green one". */
function isPronoun(words: readonly string[], { pronouns }: EndOfTurnWords): boolean {
  return pronouns.words.has(words.at(-1) ?? "") && !pronouns.numeralsAfter.has(words.at(-2) ?? "");
}

/** Luhn's checksum: from the right, every second digit counts twice, and the sum of all digits ends in 0. */
function hasCardChecksum(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}
