/** Requests that an emulator never answers, so that a test can end the process that waits for the answer. */

export type Outcome = "carried out" | "not carried out";

interface HeldRequest<T> {
  readonly operation: string;
  readonly outcome: Outcome;
  readonly reached: PromiseWithResolvers<T>;
}

export class HeldRequests<T> {
  readonly #held: HeldRequest<T>[] = [];

  /** Resolves when the next request for this operation has arrived. */
  next(operation: string, outcome: Outcome): Promise<T> {
    const reached = Promise.withResolvers<T>();
    this.#held.push({ operation, outcome, reached });
    return reached.promise;
  }

  take(operation: string): HeldRequest<T> | undefined {
    const index = this.#held.findIndex((held) => held.operation === operation);
    return index === -1 ? undefined : this.#held.splice(index, 1)[0];
  }
}
