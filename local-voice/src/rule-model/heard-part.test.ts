import { describe, expect, it } from "vitest";
import { heardPart } from "./heard-part.ts";

describe("what is understood of a turn", () => {
  it("is all of it when somebody could say it in one breath", () => {
    const turn = "I lost my card yesterday,  and I need a new one.";
    expect(heardPart(turn)).toBe(turn);
  });

  it("is its first hundred words when it has more", () => {
    const words = heardPart("1 ".repeat(2000)).split(" ");
    expect(words.length).toBe(100);
  });

  it("is its first 800 characters when they are one word", () => {
    expect(heardPart("1-".repeat(2000)).length).toBe(800);
  });
});
