/**
 * A request repeated under the same id and first-sent time gets the first answer and has no further effect (`repeatabilityRequestID`,
 * `repeatabilityFirstSent`: `@azure/communication-call-automation` 1.6, generated/src/models/index.d.ts).
 */

export interface RestAnswer {
  readonly status: number;
  readonly body?: unknown;
}

export interface OnceAnswered extends RestAnswer {
  readonly isRepetition: boolean;
}

export class Repeatability {
  readonly #answers = new Map<string, Promise<RestAnswer>>();

  async once(requestId: string | undefined, act: () => Promise<RestAnswer>): Promise<OnceAnswered> {
    const known = requestId === undefined ? undefined : this.#answers.get(requestId);
    if (known !== undefined) return { ...(await known), isRepetition: true };
    const answer = act();
    if (requestId !== undefined) this.#answers.set(requestId, answer);
    return { ...(await answer), isRepetition: false };
  }
}
