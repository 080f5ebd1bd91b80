/** What was to be heard of both sides in the last seconds, as columns that move to the left. Rests while both are silent. */
import type { Store } from "@voice/client-kit/store";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

/** As often as the service reports levels (FR-6). */
const columnMs = 100;
/** Six seconds. */
export const columnCount = 60;
/** Hearing is logarithmic: -50 dB is nothing to be seen, which hides the noise of a room, and 0 dB is a whole column. */
const floorDb = -50;
/** Steps of 5 dB, so that noise around one of them is rarely painted. */
const steps = 10;

/** 0 (silence) to 1 (full scale). They change fifty times a second. */
export interface Levels {
  readonly caller: Store<number>;
  readonly agent: Store<number>;
}

/** The newest column is the last. */
export interface SpeechTrail {
  readonly caller: readonly number[];
  readonly agent: readonly number[];
}

/** Paints whenever another column looks different, until the returned function is called. */
export function followSpeech(
  levels: Levels,
  clock: Pick<Clock, "now" | "setTimer">,
  paint: (trail: SpeechTrail) => void,
): () => void {
  const caller = new Side(levels.caller);
  const agent = new Side(levels.agent);
  let cancel: CancelTimer | undefined;
  const addColumn = (): void => {
    cancel = undefined;
    const changes = [caller.addColumn(), agent.addColumn()];
    if (changes.includes(true)) paint({ caller: caller.columns, agent: agent.columns });
    if (!caller.isResting || !agent.isResting) addLater();
  };
  // All trails of a page at the same time, so that they share a frame.
  const addLater = (): void => {
    cancel ??= clock.setTimer(columnMs - (clock.now() % columnMs), addColumn);
  };
  const hear = (side: Side): void => {
    side.hear();
    if (!side.isResting) addLater();
  };
  const unsubscribe = [caller, agent].map((side) => side.level.subscribe(() => hear(side)));
  for (const side of [caller, agent]) hear(side);
  return () => {
    for (const stop of unsubscribe) stop();
    cancel?.();
  };
}

class Side {
  readonly level: Store<number>;
  columns: readonly number[] = Array.from({ length: columnCount }, () => 0);
  /** The highest level since the last column. */
  #peak = 0;

  constructor(level: Store<number>) {
    this.level = level;
  }

  hear(): void {
    this.#peak = Math.max(this.#peak, this.level.get());
  }

  /** Another column like all that are there changes nothing. */
  get isResting(): boolean {
    const next = toHeight(this.#peak);
    return toHeight(this.level.get()) === next && this.columns.every((height) => height === next);
  }

  /** Returns whether the trail looks different now. */
  addColumn(): boolean {
    const before = this.columns;
    this.columns = [...before.slice(1), toHeight(this.#peak)];
    this.#peak = this.level.get();
    return this.columns.some((height, index) => height !== before[index]);
  }
}

function toHeight(level: number): number {
  if (level <= 0) return 0;
  const fraction = Math.max(0, Math.min(1, 1 - (20 * Math.log10(level)) / floorDb));
  return Math.round(fraction * steps) / steps;
}
