/**
 * Admits one per round of the event loop. Work of a millisecond can be done at once for one, but for a hundred at the same time it would
 * make everybody else wait for a hundred milliseconds.
 */
export type Turnstile = () => Promise<void>;

export function createTurnstile(): Turnstile {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  function admitNext(): void {
    const admit = waiting.shift();
    isTaken = admit !== undefined;
    if (admit === undefined) return;
    setImmediate(admitNext);
    admit();
  }

  return () => {
    if (isTaken) return new Promise((resolve) => void waiting.push(resolve));
    isTaken = true;
    setImmediate(admitNext);
    return Promise.resolve();
  };
}
