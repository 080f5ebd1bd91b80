type Listener<Message> = (message: Message) => void;

/** The listeners of each topic. A listener that throws is reported, and the others still receive the message. */
export class Listeners<Message> {
  readonly #onFailure: (error: unknown, message: Message) => void;
  readonly #byTopic = new Map<string, Set<Listener<Message>>>();

  constructor(onFailure: (error: unknown, message: Message) => void) {
    this.#onFailure = onFailure;
  }

  /** Returns what ends it. */
  add(topic: string, listener: Listener<Message>): () => void {
    // A wrapper per listener: the same function may listen twice.
    const own: Listener<Message> = (message) => listener(message);
    const listeners = (this.#byTopic.get(topic) ?? new Set()).add(own);
    this.#byTopic.set(topic, listeners);
    return () => {
      if (listeners.delete(own) && listeners.size === 0) this.#byTopic.delete(topic);
    };
  }

  has(topic: string): boolean {
    return this.#byTopic.has(topic);
  }

  deliver(topic: string, message: Message): void {
    for (const listener of this.#byTopic.get(topic) ?? []) {
      try {
        listener(message);
      } catch (error) {
        this.#onFailure(error, message);
      }
    }
  }
}
