/** What a fault did to callers, counted, and whether that is allowed. */

export interface Outcome {
  /** Nobody hung up here, and the call ended all the same. */
  callsLost: number;
  /** The longest silence in the middle of an answer, or before it, that had to do with the fault. */
  readonly gapsMs: number[];
  /** How much of an answer was heard a second time. */
  readonly repeatedMs: number[];
  turns: number;
  /** Answered with an apology: the caller knows that it did not work. */
  apologies: number;
  /** Neither answered nor apologised for, or not stored as it was said. */
  turnsLost: number;
  /** Stored or answered more often than it was said. */
  turnsTwice: number;
  effects: number;
  effectsTwice: number;
  /** What was asked for was neither done nor apologised for. */
  effectsLost: number;
  /** From the end of the fault until the greeting of a call that was dialled then was heard. */
  readonly recoveriesMs: number[];
  /** What was not as it should be, in words. */
  readonly remarks: string[];
}

export function newOutcome(): Outcome {
  return {
    callsLost: 0,
    gapsMs: [],
    repeatedMs: [],
    turns: 0,
    apologies: 0,
    turnsLost: 0,
    turnsTwice: 0,
    effects: 0,
    effectsTwice: 0,
    effectsLost: 0,
    recoveriesMs: [],
    remarks: [],
  };
}

/** A silence without end is none of a second or two; and where nothing was said, nothing was proved. */
export function isHarmless(outcome: Outcome): boolean {
  const { callsLost, turns, turnsLost, turnsTwice, effectsTwice, effectsLost, gapsMs, recoveriesMs } = outcome;
  const harm = callsLost + turnsLost + turnsTwice + effectsTwice + effectsLost;
  return harm === 0 && turns > 0 && [...gapsMs, ...recoveriesMs].every(Number.isFinite);
}

/**
 * What the history has to say about the words of a call, in the order in which they were said. Words that a host took with it
 * are not stored; the next one asks for them again (TAKE-3), which is an apology like any other.
 */
export function countTurns(
  said: readonly string[],
  stored: readonly string[],
): Pick<Outcome, "apologies" | "turnsLost" | "turnsTwice"> {
  const turns: { readonly words: string; readonly answers: string[] }[] = [];
  for (const line of stored) {
    const words = /^user: (.*)$/.exec(line)?.[1];
    if (words !== undefined) turns.push({ words, answers: [] });
    else turns.at(-1)?.answers.push(line);
  }
  let at = 0;
  let apologies = 0;
  let unanswered = 0;
  const isNeeded = new Set<string>();
  for (const words of said) {
    const found = turns.findIndex((turn, index) => index >= at && turn.words === words);
    const answers = turns[found]?.answers ?? [];
    if (found >= 0) at = found + 1;
    if (answers.length === 0) unanswered += 1;
    else if (answers.every(isApology)) {
      apologies += 1;
      for (const line of answers) isNeeded.add(line);
    }
  }
  const asked = stored.filter((line) => /say that again/.test(line) && !isNeeded.has(line)).length;
  const askedFor = Math.min(unanswered, asked);
  return {
    apologies: apologies + askedFor,
    turnsLost: unanswered - askedFor,
    turnsTwice: Math.max(0, turns.length - said.length),
  };
}

function isApology(line: string): boolean {
  return /sorry|cannot tell whether|went wrong/i.test(line);
}
