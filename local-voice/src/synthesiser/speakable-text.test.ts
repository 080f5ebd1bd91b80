import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxPieceChars, splitForSpeech, toAscii } from "./speakable-text.ts";

describe("speakable text", () => {
  it("leaves a clause whole", () => {
    const text = "Hello, Dr. Smith. How are you today?";
    expect(splitForSpeech(text)).toEqual([{ text, offset: 0 }]);
  });

  it("cuts a long text at the end of a sentence", () => {
    const sentence = `${"word ".repeat(25).trim()}. `;
    const pieces = splitForSpeech(sentence.repeat(4));
    expect(pieces.map((piece) => piece.text)).toEqual([sentence, sentence, sentence, sentence]);
  });

  it("has nothing to say where there is nothing to say", () => {
    expect(splitForSpeech("")).toEqual([]);
    expect(splitForSpeech(" ... !")).toEqual([]);
    expect(splitForSpeech("日本")).toEqual([]);
  });

  it("keeps every letter, in order, at its offset, in pieces that Flite can hold", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 900, unit: fc.constantFrom("a", "b", " ", ".", ",", "!") }), (text) => {
        const pieces = splitForSpeech(text);
        for (const piece of pieces) {
          expect(piece.text.length).toBeLessThanOrEqual(maxPieceChars);
          expect(text.startsWith(piece.text, piece.offset)).toBe(true);
        }
        const letters = (spoken: string): string => spoken.replaceAll(/[^ab]/g, "");
        expect(letters(pieces.map((piece) => piece.text).join(""))).toBe(letters(text));
      }),
    );
  });

  it("writes what Flite cannot read in plain characters", () => {
    expect(toAscii("Café — “naïve” isn’t…")).toBe('Cafe ,  "naive" isn\'t...');
  });
});
