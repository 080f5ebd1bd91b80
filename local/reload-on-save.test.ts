import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import { reloadOnSave, settledAfterMs } from "./reload-on-save.ts";

function rig() {
  const clock = new VirtualClock();
  const said: string[] = [];
  const checks: ((problem: string | undefined) => void)[] = [];
  let save: () => void = () => undefined;
  let restarts = 0;
  let isWatching = true;
  reloadOnSave({
    clock,
    watchFolders: (onChange) => {
      save = onChange;
      return () => void (isWatching = false);
    },
    check: () => new Promise((resolve) => void checks.push(resolve)),
    say: (text) => void said.push(text),
    restart: () => void (restarts += 1),
  });
  return {
    said,
    checks,
    save: () => save(),
    pass: (ms: number) => clock.advance(ms),
    restarts: () => restarts,
    isWatching: () => isWatching,
  };
}

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

it("[MAKER-8] files that are saved together are checked once, and served when they pass", async () => {
  const { save, pass, checks, restarts, isWatching } = rig();
  for (let file = 0; file < 5; file += 1) {
    save();
    pass(settledAfterMs - 100);
  }
  expect(checks).toHaveLength(0);
  pass(100);
  expect(checks).toHaveLength(1);
  checks[0]?.(undefined);
  await settle();
  expect([restarts(), isWatching()]).toEqual([1, false]);
});

it("[MAKER-8] what does not pass is told and not served, and the next save may mend it", async () => {
  const { save, pass, checks, said, restarts } = rig();
  save();
  pass(settledAfterMs);
  checks[0]?.("desk/agent.yaml: greeting: put it in quotes (line 3)");
  await settle();
  expect(said).toEqual([expect.stringContaining("put it in quotes (line 3)\nWhat was saved is not served")]);
  expect(restarts()).toBe(0);
  save();
  pass(settledAfterMs);
  checks[1]?.(undefined);
  await settle();
  expect(restarts()).toBe(1);
});

it("what is saved while a check runs is checked, too, before anything is served", async () => {
  const { save, pass, checks, restarts } = rig();
  save();
  pass(settledAfterMs);
  save();
  checks[0]?.(undefined);
  await settle();
  expect([checks.length, restarts()]).toEqual([2, 0]);
  checks[1]?.(undefined);
  await settle();
  pass(settledAfterMs);
  expect([checks.length, restarts()]).toEqual([2, 1]);
});
