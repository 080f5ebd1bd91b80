/**
 * What a contract suite needs from an implementation of the state: the state itself, its clock, and a way to let time
 * pass.
 */
import { onTestFinished } from "vitest";
import type { LifeSpans } from "../life-spans.ts";
import type { State } from "./state.ts";

export interface StateHarness {
  readonly state: State;
  readonly nowMs: () => number;
  /** Virtual or real milliseconds, whichever the implementation lives by. */
  readonly elapse: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens an empty state. Suites ask for life spans short enough to wait for. */
export type OpenState = (lifeSpans?: Partial<LifeSpans>) => Promise<StateHarness>;

/** Opens a state for the running test and closes it when the test ends. */
export async function opened(open: OpenState, lifeSpans?: Partial<LifeSpans>): Promise<StateHarness> {
  const harness = await open(lifeSpans);
  onTestFinished(() => harness.close());
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
