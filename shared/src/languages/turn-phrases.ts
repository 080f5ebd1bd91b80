/** The words by which turn taking distinguishes an interruption from a backchannel, and an answer from a hesitation. */

export interface TurnPhrases {
  /** Said while searching for words; they need no answer. */
  readonly hesitations: readonly string[];
  /** Said by a listener to show attention, so the agent continues (BARGE-4). */
  readonly backchannels: readonly string[];
  /** As short as a backchannel, but meant to interrupt (BARGE-4). */
  readonly commands: readonly string[];
  /** Said in return to a greeting, so they are no interruption of one (BARGE-13). */
  readonly greetings: readonly string[];
  /** Complete answers, whatever the question was (TURN-13). */
  readonly answersAlone: readonly string[];
  /**
   * Common words that are not specific to any agent. Without them, a recogniser that knows only an agent's sentences
   * would hear one of those sentences in an "uh-huh", and would interrupt the agent.
   */
  readonly everyday: readonly string[];
}

/** "a|b c": lists of expressions are easier to read and to extend on one line. */
export function expressions(list: string): readonly string[] {
  return list.split("|");
}

/** Splits "a b c" into words. */
export function words(list: string): readonly string[] {
  return list.split(/\s+/);
}
