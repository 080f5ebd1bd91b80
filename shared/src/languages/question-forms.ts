/** How an agent asks: what the caller's answer will look like is read from the agent's last sentence. In small letters. */

export interface QuestionForms {
  /** The beginning of a question to which yes or no is the answer. */
  readonly yesOrNo: RegExp;
  /** A number that is said digit by digit. */
  readonly code: RegExp;
  /** What makes a statement that names a code a request for it: "please", "tell me". */
  readonly request: RegExp;
  /** Between the things that a question offers to choose from. */
  readonly or: string;
  /** "The last four digits": the first group is the number, in words or in figures. */
  readonly digitCount: RegExp;
}
