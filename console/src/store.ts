/** State that lives outside React and tells it when it changes; `useSyncExternalStore` does the rest. */
export class Store<State> {
  #state: State;
  readonly #listeners = new Set<() => void>();

  constructor(initial: State) {
    this.#state = initial;
  }

  get = (): State => this.#state;

  /** Listeners hear of a new object only. */
  set(next: State): void {
    if (Object.is(next, this.#state)) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }

  update(patch: Partial<State>): void {
    this.set({ ...this.#state, ...patch });
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
