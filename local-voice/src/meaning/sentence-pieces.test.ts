import { describe, expect, it } from "vitest";
import { SentencePieces } from "./sentence-pieces.ts";

const reserved = ["unknown", "begin", "end", "a", "b", "c"].map((text) => [text, 0] as const);
const pieces = new SentencePieces([
  ...reserved,
  ["\u2581i", -2],
  ["\u2581lost", -6],
  ["\u2581my", -3],
  ["\u2581card", -7],
  ["s", -3],
  ["\u2581", -4],
  ["l", -5],
  ["\u2581lo", -7],
  ["st", -6],
]);

describe("a sentence in pieces", () => {
  it("has each word whole where that is most probable", () => {
    expect(pieces.cut("i lost my card")).toEqual([6, 7, 8, 9]);
  });

  it("has an ending apart where the whole word is not known", () => {
    expect(pieces.cut("my cards")).toEqual([8, 9, 10]);
  });

  it("has what nobody knows as unknown, character by character", () => {
    expect(pieces.cut("i é")).toEqual([6, 11, 0]);
  });

  it("never has the reserved places as text", () => {
    expect(pieces.cut("begin")).toEqual([11, 0, 0, 0, 0, 0]);
  });
});
