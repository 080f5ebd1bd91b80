/** The items in the service's conversation that came from the caller since the response before the newest one. */
export class CallersItems {
  #newest: string[] = [];
  #isAnswered = false;
  #typed = 0;

  /** Creates our own id for text that the caller typed, because the service's id would arrive later, in an event. */
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

  /** A response is complete. A further response after a tool's result answers the same items. */
  answered(): void {
    this.#isAnswered = true;
  }

  /** Each item is returned once. */
  take(): readonly string[] {
    const taken = this.#newest;
    this.#newest = [];
    return taken;
  }
}
