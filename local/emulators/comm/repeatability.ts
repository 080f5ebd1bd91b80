/** A request repeated under the same id and first-sent time gets the first answer and has no further effect. */

export interface RestAnswer {
  readonly status: number;
  readonly body?: unknown;
}

export class Repeatability {
  readonly #answers = new Map<string, Promise<RestAnswer>>();
  #repetitions = 0;

  /** How many requests were recognised as repetitions. */
  get repetitions(): number {
    return this.#repetitions;
  }

  isRepetition(requestId: string | undefined): boolean {
    return requestId !== undefined && this.#answers.has(requestId);
  }

  async once(requestId: string | undefined, act: () => Promise<RestAnswer>): Promise<RestAnswer> {
    if (requestId === undefined) return act();
    const known = this.#answers.get(requestId);
    if (known !== undefined) {
      this.#repetitions += 1;
      return known;
    }
    const answer = act();
    this.#answers.set(requestId, answer);
    return answer;
  }
}
