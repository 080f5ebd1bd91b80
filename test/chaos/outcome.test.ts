import { describe, expect, it } from "vitest";
import { countTurns, isHarmless, newOutcome } from "./outcome.ts";

const greeting = "assistant: What can I do for you?";
const told = "assistant: Once upon a time.";

describe("the turns of a call that something was done to", () => {
  it("are all there when each was answered", () => {
    expect(
      countTurns(["a story", "a table"], [greeting, "user: a story", told, "user: a table", "assistant: Done."]),
    ).toEqual({
      apologies: 0,
      turnsLost: 0,
      turnsTwice: 0,
    });
  });

  it("count as lost when the words are missing, and when nobody answered them", () => {
    expect(countTurns(["a story", "a table"], [greeting, "user: a table", "assistant: Done."]).turnsLost).toBe(1);
    expect(countTurns(["a story", "a table"], [greeting, "user: a story", told, "user: a table"]).turnsLost).toBe(1);
  });

  it("count as apologised for when that is all that was answered", () => {
    const stored = [greeting, "user: a story", "assistant: I am sorry, something went wrong on my side."];
    expect(countTurns(["a story"], stored)).toEqual({ apologies: 1, turnsLost: 0, turnsTwice: 0 });
    expect(countTurns(["a story"], [...stored, told]).apologies).toBe(0);
  });

  it("count as apologised for when the agent has asked for words that were lost with a host", () => {
    const again = "assistant: I am sorry, something went wrong on my side. Could you say that again?";
    const stored = [greeting, "user: a story", told, again];
    expect(countTurns(["a story", "a table"], stored)).toEqual({ apologies: 1, turnsLost: 0, turnsTwice: 0 });
    expect(countTurns(["a story", "a table", "a table"], stored)).toMatchObject({ apologies: 1, turnsLost: 1 });
  });

  it("count as held twice when there are more than were said", () => {
    expect(countTurns(["a story"], [greeting, "user: a story", told, "user: a story", told]).turnsTwice).toBe(1);
  });
});

describe("an outcome", () => {
  it("is harmless when nothing was lost, nothing happened twice, and the service came back", () => {
    expect(isHarmless({ ...newOutcome(), turns: 4, apologies: 1, recoveriesMs: [300] })).toBe(true);
  });

  it.each([
    ["something happened twice", { effectsTwice: 1 }],
    ["something was answered and not done", { effectsLost: 1 }],
    ["the next caller was not greeted", { recoveriesMs: [Infinity] }],
    ["a caller heard nothing any more", { gapsMs: [700, Infinity] }],
    ["nobody has said anything", { turns: 0 }],
  ])("is not when %s", (_why, change) => {
    expect(isHarmless({ ...newOutcome(), turns: 4, ...change })).toBe(false);
  });
});
