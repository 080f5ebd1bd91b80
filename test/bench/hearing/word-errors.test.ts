import { describe, expect, it } from "vitest";
import { wordErrors } from "./word-errors.ts";

describe("word errors", () => {
  it.each([
    ["i lost my card", "I lost my card.", 0],
    ["i lost my card", "i lost the card", 1],
    ["i lost my card", "i lost card", 1],
    ["i lost my card", "well i lost my card", 1],
    ["i lost my card", "", 4],
    ["i lost my card", "what a fine day that is", 6],
  ])("of %j recognised as %j are %i", (said, recognised, errors) => {
    expect(wordErrors(said, recognised)).toEqual({ words: 4, errors });
  });
});
