/**
 * Visits every state that a model can reach in a bounded number of moves, nearest first, so that what it reports is the
 * shortest way to what is broken. States are told apart by their key alone.
 */
export interface Move<State> {
  /** What happens, in words. */
  readonly words: string;
  /** Called at most once. */
  readonly make: () => State | Promise<State>;
}

export interface Model<State> {
  readonly starts: readonly Move<State>[];
  readonly moves: (state: State) => readonly Move<State>[];
  /** Two states with one key have the same future. */
  readonly key: (state: State) => string;
  /** The rule that does not hold in this state, or on the way into it. */
  readonly broken: (state: State) => string | undefined | Promise<string | undefined>;
}

export interface Bounds {
  readonly depth: number;
  /** A search that comes to so many states ends there, and says that it is not complete. */
  readonly maxStates?: number;
}

export interface Exploration {
  readonly states: number;
  readonly moves: number;
  /** Every state within the depth was visited. */
  readonly isComplete: boolean;
  /** Nothing new is to be found however deep one looks. */
  readonly isExhausted: boolean;
  /** What happened, in words, and then the rule that is broken; the shortest there is. */
  readonly counterexample: readonly string[] | undefined;
}

interface Visit<State> {
  readonly state: State;
  readonly words: string;
  readonly from: Visit<State> | undefined;
}

const defaultMaxStates = 2_000_000;

export async function explore<State>(
  model: Model<State>,
  { depth, maxStates = defaultMaxStates }: Bounds,
): Promise<Exploration> {
  const seen = new Set<string>();
  let moves = 0;
  let layer: Visit<State>[] = [];
  let ways = model.starts.map((move) => ({ move, from: undefined as Visit<State> | undefined }));
  const result = (isComplete: boolean, counterexample?: readonly string[]): Exploration => ({
    states: seen.size,
    moves,
    isComplete,
    isExhausted: isComplete && layer.length === 0,
    counterexample,
  });
  for (let level = 0; level <= depth; level++) {
    layer = [];
    for (const { move, from } of ways) {
      const state = await move.make();
      const visit: Visit<State> = { state, words: move.words, from };
      moves++;
      const key = model.key(state);
      if (seen.has(key)) continue;
      seen.add(key);
      const rule = await model.broken(state);
      if (rule !== undefined) return result(false, [...wayTo(visit), rule]);
      if (seen.size >= maxStates) return result(false);
      layer.push(visit);
    }
    if (level < depth) ways = layer.flatMap((from) => model.moves(from.state).map((move) => ({ move, from })));
  }
  return result(true);
}

function wayTo<State>(visit: Visit<State>): string[] {
  const words: string[] = [];
  for (let at: Visit<State> | undefined = visit; at !== undefined; at = at.from) words.unshift(at.words);
  return words;
}
