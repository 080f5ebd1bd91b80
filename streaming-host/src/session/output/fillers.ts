/** Fillers, spoken while the agent's first words take long (FILL-1): the agent's own phrases, or the service's. */
import type { Choices } from "@voice/shared/languages/sentences";

/** Cycles through the phrases within one session. */
export class Fillers {
  #said = 0;

  next(own: readonly string[] | undefined, usual: Choices): string {
    const choices = own === undefined || own.length === 0 ? usual : own;
    return choices[this.#said++ % choices.length] ?? usual[0];
  }
}
