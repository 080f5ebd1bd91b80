/** Fillers, said while the agent's first word takes long (FILL-1): the agent's own phrases, or the service's. */

const usual = ["One moment, please.", "I am still working on it."] as const;

/** Cycles through one session's phrases. */
export class Fillers {
  #said = 0;

  next(own: readonly string[]): string {
    const choices = own.length > 0 ? own : usual;
    return choices[this.#said++ % choices.length] ?? usual[0];
  }
}
