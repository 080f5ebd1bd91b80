/**
 * Long computations as generators that yield after each small step. At start-up they run without a break; during calls
 * they run in slices, so that audio frames can be sent in between.
 */

export type Steps<Value> = Generator<void, Value>;

/** A quarter of the time between two frames. */
export const sliceMs = 5;

export function atOnce<Value>(steps: Steps<Value>): Value {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Runs a slice; returns whether there is more to do. */
type Slice = (endsAtMs: number) => boolean;

const waiting: Slice[] = [];

/**
 * Concurrent computations take turns, one slice per round of the event loop. If no other is running, the first slice
 * runs at once; most computations fit into it and then need no further round.
 */
export function inSlices<Value>(steps: Steps<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const work: Slice = (endsAtMs) => {
      try {
        do {
          const step = steps.next();
          if (step.done === true) {
            resolve(step.value);
            return false;
          }
        } while (performance.now() < endsAtMs);
        return true;
      } catch (error) {
        reject(error);
        return false;
      }
    };
    if (waiting.length === 0 && !work(performance.now() + sliceMs)) return;
    if (waiting.push(work) === 1) setImmediate(nextSlice);
  });
}

function nextSlice(): void {
  const [work] = waiting;
  if (work === undefined) return;
  const isUnfinished = work(performance.now() + sliceMs);
  waiting.shift();
  if (isUnfinished) waiting.push(work);
  if (waiting.length > 0) setImmediate(nextSlice);
}
