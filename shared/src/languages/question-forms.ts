/**
 * How agents phrase questions. The agent's last sentence shows what kind of answer to expect. All are in lower case.
 */

export interface QuestionForms {
  /** Matches the beginning of a question that is answered with yes or no, or of a part of one after a comma: ", right?". */
  readonly yesOrNo: RegExp;
  /** Matches the two answers where a question or a request names them: "yes or no", "or not". */
  readonly eitherWay: RegExp;
  /** Matches the name of a number that is said digit by digit. */
  readonly code: RegExp;
  /** Matches what is asked for with a number that is no code: "how many", "what time". */
  readonly quantity: RegExp;
  /** Matches the word for a number of any kind. */
  readonly anyNumber: RegExp;
  /** Matches what turns a statement that names a code, or that follows a question, into a request: "please", "tell me". */
  readonly request: RegExp;
  /** The word between the choices that a question offers. */
  readonly or: string;
  /** Matches "the last four digits"; the first group is the number, in words or in figures. */
  readonly digitCount: RegExp;
}
