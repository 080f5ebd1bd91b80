/**
 * Remembers facts about the newest things that a service identifies by ids. If the service repeats an event, it does so at once, and a call
 * may last for hours: remembering all ids took two kilobytes for every ten turns.
 */
const mostRemembered = 30;

export class Recent<Value> {
  /** Undefined before the first entry. */
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
