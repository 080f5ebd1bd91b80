/**
 * What is known of the newest of the things that a service names with ids. It repeats an event at once if at all, and a call may
 * last for hours: all of its ids took two kilobytes for every ten turns.
 */
const mostRemembered = 30;

export class Recent<Value> {
  /** Undefined before the first. */
  #values: Map<string, Value> | undefined;

  get(id: string): Value | undefined {
    return this.#values?.get(id);
  }

  has(id: string): boolean {
    return this.#values?.has(id) === true;
  }

  set(id: string, value: Value): void {
    const values = (this.#values ??= new Map<string, Value>());
    values.set(id, value);
    if (values.size <= mostRemembered) return;
    const [oldest = id] = values.keys();
    values.delete(oldest);
  }

  delete(id: string): void {
    this.#values?.delete(id);
  }
}
