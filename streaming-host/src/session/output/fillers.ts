/** What is said while the agent takes long to find its first word (FILL-1): the agent's own phrases, or the service's. */
import type { Choices } from "@voice/shared/languages/sentences";

/** The phrases of one session, in turn. */
export class Fillers {
  #said = 0;

  next(own: readonly string[] | undefined, usual: Choices): string {
    const choices = own === undefined || own.length === 0 ? usual : own;
    return choices[this.#said++ % choices.length] ?? usual[0];
  }
}
