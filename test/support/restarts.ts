/**
 * What a test of a fleet has killed starts again while the next test begins, and not at all after the last one: a start takes more than a
 * second of the processor. For use within a `describe`, whose hooks these are: no process outlives the tests.
 */
import { afterAll, afterEach, beforeEach } from "vitest";
import type { CallFleet } from "./call-fleet.ts";

export interface Restarts {
  /** Resolves when all that earlier tests have killed is running. A test that does not wait begins with what they left. */
  done(): Promise<void>;
}

/** `running` is asked when the tests run, because the fleet is started only then; `close` ends the fleet and what belongs to it. */
export function restartBetweenTests(
  running: () => { readonly fleet: CallFleet; readonly close: () => Promise<void> },
): Restarts {
  let restarting = Promise.resolve();

  beforeEach(async () => {
    // Two tests one after the other each kill a host: what the first has killed runs before the second has killed another.
    await restarting;
    restarting = running().fleet.startWhatIsDown();
  });

  // A test that fails may leave no host to begin with.
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await running().fleet.startWhatIsDown();
  });

  afterAll(async () => {
    try {
      await restarting;
    } finally {
      await running().close(); // also where a host did not start again
    }
  });

  return { done: () => restarting };
}
