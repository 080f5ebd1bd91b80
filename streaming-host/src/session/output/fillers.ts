/** What is said while the agent takes long to find its first word (FILL-1): the agent's own phrases, or the service's. */

const usual = ["One moment, please.", "I am still working on it."] as const;

/** The phrases of one session, in turn. */
export class Fillers {
  #said = 0;

  next(own: readonly string[]): string {
    const choices = own.length > 0 ? own : usual;
    return choices[this.#said++ % choices.length] ?? usual[0];
  }
}
