/** Which items of the service's conversation are the caller's, since the answer before the newest one. */
export class CallersItems {
  #newest: string[] = [];
  #isAnswered = false;
  #typed = 0;

  /** An id of our own for words that the caller wrote: the service's would only come with an event. */
  typed(): string {
    this.#typed += 1;
    const id = `typed-${this.#typed}`;
    this.heard(id);
    return id;
  }

  heard(itemId: string): void {
    if (this.#isAnswered) this.#newest = [];
    this.#isAnswered = false;
    this.#newest.push(itemId);
  }

  /** An answer is complete; one that follows a tool's result is to the same words. */
  answered(): void {
    this.#isAnswered = true;
  }

  /** Each is given once. */
  take(): readonly string[] {
    const taken = this.#newest;
    this.#newest = [];
    return taken;
  }
}
