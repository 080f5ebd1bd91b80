/**
 * What a test of a fleet has killed starts again while the next test begins. For use within a `describe`, whose hooks these are:
 * a test that fails before it says so leaves nothing down, and no process outlives the tests.
 */
import { afterAll, afterEach } from "vitest";
import type { CallFleet } from "./call-fleet.ts";

export interface Restarts {
  /** Starts what is down, and waits for none of it. */
  begin(): void;
  /** Resolves when what was begun last is running. */
  done(): Promise<void>;
}

/** `running` is asked when the tests run, because the fleet is started only then; `close` ends the fleet and what belongs to it. */
export function restartBetweenTests(
  running: () => { readonly fleet: CallFleet; readonly close: () => Promise<void> },
): Restarts {
  let restarting = Promise.resolve();

  // What a test kills, it starts again at its end, unless it fails before: then the next one would wait in vain for hosts.
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

  return {
    begin() {
      restarting = running().fleet.startWhatIsDown();
    },
    done: () => restarting,
  };
}
