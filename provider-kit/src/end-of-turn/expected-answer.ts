/** What an agent's last text asks for, derived from the text itself, because a model with weights does not state it in any other way. */
import type { Expected } from "@voice/provider-kit/ports/end-of-turn";
import type { LanguagePack } from "@voice/shared/languages/language-pack";
import { endOfQuestion, sentencesOf } from "./end-of-sentence.ts";
import { toWords } from "./to-words.ts";

/** The most digits that a question asks for; a larger number in it means something else. */
const mostDigits = 24;

/** The language data that is needed to understand a question. */
export type QuestionLanguage = Pick<LanguagePack, "questions" | "numbers">;

export function expectedAnswer(agentText: string, language: QuestionLanguage): Expected {
  const { code, eitherWay, request } = language.questions;
  const sentences = sentencesOf(agentText.toLowerCase());
  const last = sentences.at(-1) ?? "";
  const isQuestion = endOfQuestion.test(last);
  const isRequest = request.test(last);
  if (code.test(last) && (isQuestion || isRequest)) return { kind: "digits", length: digitsIn(last, language) };
  if ((isQuestion || isRequest) && eitherWay.test(last)) return { kind: "yes-or-no" };
  if (isQuestion) return askedBy(last, language);
  // "How many guests? Please tell me the number."
  const before = sentences.at(-2) ?? "";
  return isRequest && endOfQuestion.test(before) ? askedBy(before, language) : { kind: "nothing" };
}

function askedBy(question: string, { questions }: QuestionLanguage): Expected {
  const { eitherWay, or, quantity, yesOrNo } = questions;
  if (eitherWay.test(question)) return { kind: "yes-or-no" };
  const words = toWords(question);
  if (words.includes(or)) return { kind: "choice", words: new Set(words) };
  if (quantity.test(question)) return { kind: "quantity" };
  // "You want to pay, right?", "Great, shall I do that?", "Señora, ¿desea continuar?"
  const parts = question.slice(Math.max(0, question.lastIndexOf("¿"))).split(/[,;:]\s+|\s[-–—]\s+/u);
  const isYesOrNo = parts.some((part, at) => {
    const [found] = yesOrNo.exec(part) ?? [];
    // The "okay" of "Okay, what is it about?" is not a question.
    return found !== undefined && (found !== part || at === parts.length - 1);
  });
  return { kind: isYesOrNo ? "yes-or-no" : "anything" };
}

/** Whether a yes, a no or a number can answer this text: it asks for one, or offers numbers to choose from. */
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
