import { describe, expect, it } from "vitest";
import { doubtOf } from "./doubtful-words.ts";

describe("doubt about words", () => {
  it("is grave where no sentence has them in that order, or where they are far too few for so much speech", () => {
    expect(doubtOf("balance my check", undefined, 60)).toBe("grave");
    expect(doubtOf("yes", "whole", 51)).toBe("grave");
    expect(doubtOf("yes please", "whole", 101)).toBe("grave");
  });

  it("is slight where they are spelled, or rather short for so much speech", () => {
    expect(doubtOf("n e t p e", "whole-so-far", 50)).toBe("slight");
    expect(doubtOf("today", "whole", 45)).toBe("slight");
    expect(doubtOf("and today", "whole", 75)).toBe("slight");
  });

  it("is none where a sentence, a word or digits take as long as people do", () => {
    expect(doubtOf("check my balance", "whole", 80)).toBe("none");
    expect(doubtOf("today", "whole", 40)).toBe("none");
    expect(doubtOf("four seven two nine", "whole-so-far", 90)).toBe("none");
    expect(doubtOf("", undefined, 300)).toBe("none");
  });
});

it("[EAR-58] doubts a second sentence a little, which may stand for words of the first", () => {
  expect(doubtOf("a coffee and wait a moment", "whole", 80)).toBe("slight");
  expect(doubtOf("a coffee with milk", "whole", 60)).toBe("none");
});
