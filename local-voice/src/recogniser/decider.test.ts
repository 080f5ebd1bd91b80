import { describe, expect, it } from "vitest";
import { deciderOf } from "./decider.ts";
import type { Decider } from "./decider.ts";
import type { Doubt } from "./doubtful-words.ts";

const cases: readonly (readonly [hasText: boolean, doubt: Doubt, isNoisy: boolean, decider: Decider])[] = [
  [true, "none", false, "first search"],
  [true, "none", true, "likely sentence"],
  [true, "slight", false, "better sentence"],
  [true, "slight", true, "better sentence"],
  [true, "grave", false, "proof"],
  [true, "grave", true, "proof"],
  [false, "none", false, "likely sentence"],
  [false, "none", true, "likely sentence"],
];

describe("who decides what was said", () => {
  it.each(cases)("with text: %s, doubt: %s, noise: %s, it is the %s", (hasText, doubt, isNoisy, decider) => {
    expect(deciderOf({ hasText, doubt, isNoisy })).toBe(decider);
  });
});
