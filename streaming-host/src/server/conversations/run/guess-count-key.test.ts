import { describe, expect, it } from "vitest";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { createIdentityChecks } from "@voice/shared/tools/identity/identity-checks";
import { guessCountKey } from "./guess-count-key.ts";

interface Guess {
  readonly profileId?: string;
  readonly guesser?: string;
  readonly sessionId: string;
}

function counting(): (guess: Guess) => Promise<number> {
  const { counters } = createMemoryState({ clock: new VirtualClock() });
  return ({ profileId, guesser, sessionId }) =>
    createIdentityChecks(counters, () => guessCountKey(profileId, guesser, sessionId), false).countTry("identity");
}

describe("callers who hide their numbers", () => {
  it("[NUM-4a] count in their own calls at the customer of the demonstration, and lock nobody out", async () => {
    const count = counting();
    for (const tries of [1, 2, 3]) expect(await count({ sessionId: "a" })).toBe(tries);
    expect(await count({ sessionId: "b" })).toBe(1);
    expect(await count({ sessionId: "c", guesser: "+12025550123" })).toBe(1);
  });

  it("[NUM-4b] share the tries at a stored customer, call after call, and leave the customer's own", async () => {
    const count = counting();
    for (const tries of [1, 2, 3, 4]) expect(await count({ sessionId: `call-${tries}`, profileId: "ada" })).toBe(tries);
    expect(await count({ sessionId: "own", profileId: "ada", guesser: "+12025550123" })).toBe(1);
    expect(await count({ sessionId: "other", profileId: "bea" })).toBe(1);
  });
});

it("[ACCESS-12c] a caller who is known shares the tries of all their calls", async () => {
  const count = counting();
  expect(await count({ sessionId: "a", guesser: "+12025550123" })).toBe(1);
  expect(await count({ sessionId: "b", guesser: "+12025550123" })).toBe(2);
});
