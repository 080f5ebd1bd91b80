/**
 * Visits every state that a model can reach in a bounded number of moves, breadth first, so that it reports the
 * shortest path to a violation. States are distinguished by their key alone.
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
  /** States with the same key must have the same future. */
  readonly key: (state: State) => string;
  /** The rule that is violated in this state or by the move into it. */
  readonly broken: (state: State) => string | undefined | Promise<string | undefined>;
}

export interface Bounds {
  readonly depth: number;
  /** A search that reaches this many states stops and reports that it is incomplete. */
  readonly maxStates?: number;
}

export interface Exploration {
  readonly states: number;
  readonly moves: number;
  /** Every state within the depth was visited. */
  readonly isComplete: boolean;
  /** No further states exist at any depth. */
  readonly isExhausted: boolean;
  /** The shortest sequence of moves to a violation, followed by the violated rule. */
  readonly counterexample: readonly string[] | undefined;
}

interface Visit<State> {
  readonly state: State;
  readonly words: string;
  readonly from: Visit<State> | undefined;
}

interface Way<State> {
  readonly move: Move<State>;
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
  let ways: Iterable<Way<State>> = model.starts.map((move) => ({ move, from: undefined }));
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
    ways = waysFrom(layer, model);
  }
  return result(true);
}

/** One state after the other: the moves of a whole layer, most of which lead to a state that was visited, would fill the memory. */
function* waysFrom<State>(layer: readonly Visit<State>[], model: Model<State>): Generator<Way<State>> {
  for (const from of layer) for (const move of model.moves(from.state)) yield { move, from };
}

function wayTo<State>(visit: Visit<State>): string[] {
  const words: string[] = [];
  for (let at: Visit<State> | undefined = visit; at !== undefined; at = at.from) words.unshift(at.words);
  return words;
}
