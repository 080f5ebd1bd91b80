/** A queue in which owners take turns: an owner with many waiting items delays only its own. */
export class FairQueue<Item> {
  readonly #maxPerOwner: number;
  /** The owner whose turn it is comes first. Owners without items are not listed. */
  readonly #lines = new Map<unknown, Item[]>();

  constructor(maxPerOwner: number) {
    this.#maxPerOwner = maxPerOwner;
  }

  /** False if this owner has the maximum of waiting items. */
  push(owner: unknown, item: Item): boolean {
    const line = this.#lines.get(owner);
    if (line === undefined) this.#lines.set(owner, [item]);
    else if (line.length >= this.#maxPerOwner) return false;
    else line.push(item);
    return true;
  }

  take(): Item | undefined {
    const [next] = this.#lines;
    if (next === undefined) return undefined;
    const [owner, line] = next;
    const item = line.shift();
    this.#lines.delete(owner);
    if (line.length > 0) this.#lines.set(owner, line);
    return item;
  }

  takeAll(): Item[] {
    const items = [...this.#lines.values()].flat();
    this.#lines.clear();
    return items;
  }

  /** Does nothing if the item is not waiting. */
  remove(owner: unknown, item: Item): void {
    const line = this.#lines.get(owner);
    const index = line?.indexOf(item) ?? -1;
    if (line === undefined || index === -1) return;
    line.splice(index, 1);
    if (line.length === 0) this.#lines.delete(owner);
  }
}
