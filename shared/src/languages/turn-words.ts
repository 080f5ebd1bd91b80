/** The words by which the turn machine tells an interruption from a murmur, and an answer from a hesitation. */

export interface TurnWords {
  /** Said while thinking of words; nobody answers them. */
  readonly hesitations: readonly string[];
  /** Said by a listener to show that they are there: the agent goes on (BARGE-4). */
  readonly backchannels: readonly string[];
  /** As short as a backchannel, and meant to interrupt (BARGE-4). */
  readonly commands: readonly string[];
  /** An answer by itself, to whatever was asked (TURN-13). */
  readonly answersAlone: readonly string[];
  /**
   * What anybody says to anybody. A recogniser that knows only an agent's sentences would hear one of them in an "uh-huh", and
   * the agent would be interrupted by it.
   */
  readonly everyday: readonly string[];
}

/** "a|b c": lists of expressions are easier to read, and to complete, on one line. */
export function expressions(list: string): readonly string[] {
  return list.split("|");
}

/** "a b c". */
export function words(list: string): readonly string[] {
  return list.split(/\s+/);
}
