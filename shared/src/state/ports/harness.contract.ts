/**
 * What a contract suite needs from an implementation of the state: the state itself, its clock, and a way to let time
 * pass.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { aroundEach, onTestFinished } from "vitest";
import type { LifeSpans } from "../life-spans.ts";
import type { State } from "./state.ts";

export interface StateHarness {
  readonly state: State;
  readonly nowMs: () => number;
  /** Virtual or real milliseconds, whichever the implementation lives by. */
  readonly elapse: (ms: number) => Promise<void>;
  /**
   * What a suite gives as a time to the state: as much slower as `elapse` is where a busy machine answers late. A test that looks at
   * something before that time is over leaves most of a second in between, because a busy machine may stand still for more than one.
   */
  readonly lasting: (ms: number) => number;
  readonly close: () => Promise<void>;
}

/** Opens an empty state. Suites ask for life spans short enough to wait for. */
export type OpenState = (lifeSpans?: Partial<LifeSpans>) => Promise<StateHarness>;

type AtTheEnd = (close: () => Promise<void>) => void;
const runningTest = new AsyncLocalStorage<AtTheEnd>();

/** Lets the tests of this suite run beside each other: each closes what it has opened itself, and nothing of another one. */
export function closeWithTheirTests(): void {
  aroundEach((runTest, { onTestFinished }) => runningTest.run(onTestFinished, runTest));
}

/** Opens a state for the running test and closes it when the test ends. */
export async function opened(open: OpenState, lifeSpans?: Partial<LifeSpans>): Promise<StateHarness> {
  const atTheEnd = runningTest.getStore() ?? onTestFinished;
  const harness = await open(lifeSpans);
  atTheEnd(() => harness.close());
  return harness;
}

/** Lets time pass until the condition holds; gives up after about three seconds of the implementation's time. */
export async function until(harness: StateHarness, condition: () => boolean, what: string): Promise<void> {
  for (let waits = 0; waits < 300; waits += 1) {
    if (condition()) return;
    await harness.elapse(10);
  }
  throw new Error(`this did not happen: ${what}`);
}
