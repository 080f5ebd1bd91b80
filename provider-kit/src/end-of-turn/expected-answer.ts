/** What an agent's last words ask for, read from the words: a model with weights does not say it in any other way. */
import type { Expected } from "@voice/provider-kit/ports/end-of-turn";
import type { LanguagePack } from "@voice/shared/languages/language-pack";
import { endOfQuestion, lastSentence } from "./end-of-sentence.ts";
import { toWords } from "./spoken-words.ts";

/** Nobody is asked for more in one go. */
const mostDigits = 24;

/** What of a language is needed to understand a question in it. */
export type QuestionLanguage = Pick<LanguagePack, "questions" | "numbers">;

export function expectedAnswer(agentText: string, language: QuestionLanguage): Expected {
  const { code, or, quantity, request, yesOrNo } = language.questions;
  const last = lastSentence(agentText).toLowerCase();
  const isQuestion = endOfQuestion.test(last);
  if (code.test(last) && (isQuestion || request.test(last)))
    return { kind: "digits", length: digitsIn(last, language) };
  if (!isQuestion) return { kind: "nothing" };
  const words = toWords(last);
  if (words.includes(or)) return { kind: "choice", words: new Set(words) };
  if (quantity.test(last)) return { kind: "quantity" };
  return yesOrNo.test(last) ? { kind: "yes-or-no" } : { kind: "anything" };
}

/** Whether a yes, a no or a number may answer these words: they ask for one, or offer numbers to choose from. */
export function mayAskForOneWord(agentText: string, language: QuestionLanguage): boolean {
  const { kind } = expectedAnswer(agentText, language);
  if (kind === "digits" || kind === "yes-or-no") return true;
  const { quantity, anyNumber } = language.questions;
  const said = agentText.toLowerCase();
  return quantity.test(said) || anyNumber.test(said) || language.numbers.find(toWords(said)).length > 0;
}

/** "The last four digits", "the 6 digits". */
function digitsIn(sentence: string, { questions, numbers }: QuestionLanguage): number | undefined {
  const [, written] = questions.digitCount.exec(sentence) ?? [];
  const count = written === undefined ? undefined : numbers.find([written])[0]?.value;
  return count !== undefined && count > 0 && count <= mostDigits ? count : undefined;
}
