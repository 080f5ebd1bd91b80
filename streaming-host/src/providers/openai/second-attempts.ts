/** Two attempts at one thing, of which the first to answer counts ("hedged requests": Dean and Barroso, The Tail at Scale, 2013). */

/**
 * While the service itself is slow, second attempts would only add to its load: this many are allowed at once, and after that one request
 * in ten.
 */
const attemptsAtOnce = 10;
const attemptsPerRequest = 0.1;

export class SecondAttempts {
  #allowed = attemptsAtOnce;

  countRequest(): void {
    this.#allowed = Math.min(attemptsAtOnce, this.#allowed + attemptsPerRequest);
  }

  /** Uses one up. */
  take(): boolean {
    if (this.#allowed < 1) return false;
    this.#allowed -= 1;
    return true;
  }
}

export interface Attempt<Answer> {
  readonly answer: Promise<Answer>;
  giveUp(): void;
}

/** If one fails, the other may still succeed; if both fail, the first one's reason counts. Does not reject by itself. */
export async function firstToAnswer<Answer>(
  first: Attempt<Answer>,
  second: Attempt<Answer>,
): Promise<{ readonly answer: Promise<Answer>; readonly loser: Attempt<Answer> | undefined }> {
  const winner = await Promise.any([first.answer.then(() => first), second.answer.then(() => second)]).catch(
    () => undefined,
  );
  if (winner === undefined) return { answer: first.answer, loser: undefined };
  return { answer: winner.answer, loser: winner === first ? second : first };
}
