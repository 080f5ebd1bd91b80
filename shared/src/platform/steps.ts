/**
 * Work that takes longer than others can wait, as a generator that pauses after each small piece of it. Who has no callers
 * yet does it in one go; who has, in slices between which everybody's frames are sent.
 */

export type Steps<Value> = Generator<void, Value>;

/** A fourth of the time between two frames. */
export const sliceMs = 5;

export function atOnce<Value>(steps: Steps<Value>): Value {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Does a slice; says whether there is more to do. */
type Slice = (endsAtMs: number) => boolean;

const waiting: Slice[] = [];

/**
 * Slices of all that is asked for at the same time take turns, one slice for each round of the event loop. What fits into a
 * single slice is done at once where nothing else is at work: most of it does, and then nobody waits for a round.
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
