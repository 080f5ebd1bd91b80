import { describe, expect, it } from "vitest";
import { WordFinder } from "./word-finder.ts";

describe("the word finder", () => {
  it("finds repeated words one after the other", () => {
    const words = new WordFinder("no, no & yes");
    expect([words.find("no"), words.find("no"), words.find("yes"), words.find("no")]).toEqual([0, 4, 9, undefined]);
  });

  it("does not skip half of the text for a word that stands far ahead", () => {
    const words = new WordFinder(`one ${"filler ".repeat(20)}two`);
    expect([words.find("two"), words.find("one")]).toEqual([undefined, 0]);
  });
});
