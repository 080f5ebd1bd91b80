/** Runs a task for each item, a limited number at a time, and starts them in the order of the items. */
export async function inParallel<Item>(
  items: readonly Item[],
  limit: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const work = async (): Promise<void> => {
    for (const item of waiting) await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
}
