/** Every order of what can happen to a phone call, within a small scope: nothing is done twice, and every call ends. */
import { explore } from "@voice/shared/testing/explore";
import { expect, it } from "vitest";
import { callLifeModel } from "../testing/call-model/call-life-model.ts";

/** `MODEL_DEPTH=2` looks two events further, in minutes instead of seconds, and says how far it came. */
const further = Number(process.env["MODEL_DEPTH"] ?? 0);

it(
  "[ONCE-3] [ONCE-4] [ONCE-5] [EFFECT-7a] [EFFECT-15a] [LOST-4] [CB-7a] whatever happens to a call, nothing is done twice and it ends",
  { timeout: 150_000 * 10 ** further },
  async () => {
    const found = await explore(callLifeModel, { depth: 2 + further });
    if (process.env["MODEL_DEPTH"] !== undefined)
      process.stdout.write(`calls: ${found.states} states, ${found.moves} moves\n`);
    expect(found.counterexample).toBeUndefined();
    expect(found.isComplete).toBe(true);
  },
);
