/** Notifies those who were informed that the service does not answer, once it does again, so that the page does not continue to say so. */

/** Calls back with the next response of any kind, if `error` is that of a request that did not reach the service. */
export type OnceItAnswers = (error: unknown, then: () => void) => void;

export const answersAgain = "The service answers again: try once more.";

export class Answers {
  #waiting: (() => void)[] = [];

  readonly onceItAnswers: OnceItAnswers = (error, then) => {
    // What `fetch` rejects with. A request that took too long is another matter: it may have been carried out.
    if (error instanceof TypeError) this.#waiting.push(then);
  };

  /** The service has answered a request, if only to refuse it. */
  readonly came = (): void => {
    for (const then of this.#waiting.splice(0)) then();
  };
}
