/** State outside React that notifies its listeners, for `useSyncExternalStore`. */
export class Store<State> {
  #state: State;
  readonly #listeners = new Set<() => void>();

  constructor(initial: State) {
    this.#state = initial;
  }

  get = (): State => this.#state;

  /** Listeners are called only for a new object. */
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
