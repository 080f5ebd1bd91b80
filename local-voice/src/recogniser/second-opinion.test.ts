import { describe, expect, it } from "vitest";
import type { SpeechDecoder } from "./decoder.ts";
import { buildGrammar, soundGrammar } from "./grammar.ts";
import type { Grammar } from "./grammar.ts";
import { createSecondOpinion } from "./second-opinion.ts";
import type { SecondOpinion } from "./second-opinion.ts";

const { sentences = soundGrammar } = buildGrammar({ examples: ["check my balance"], phrases: [] });
const oneSecond = Array.from({ length: 50 }, () => new Int16Array(320));

function agreesTo(words: string, scores: { words: number; sounds: number }): boolean {
  return createSecondOpinion(decoderOf(words, { sentence: scores.words, sounds: scores.sounds })).agrees(
    oneSecond,
    words,
  );
}

/** Hears the same, whatever was said; `scores` of the sentence and of mere sounds, for each 10 ms. */
function opinionOn(
  heard: string,
  scores: { sentence: number; sounds: number },
  frames = oneSecond,
): ReturnType<SecondOpinion["of"]> {
  return createSecondOpinion(decoderOf(heard, scores, frames)).of(frames, sentences);
}

function decoderOf(
  heard: string,
  scores: { readonly sentence: number; readonly sounds: number },
  frames = oneSecond,
): SpeechDecoder {
  let grammar: Grammar | undefined;
  return {
    get grammar() {
      return grammar;
    },
    setGrammar: (next) => void (grammar = next),
    forget: () => undefined,
    begin: () => undefined,
    hear: () => undefined,
    hearWhole: () => undefined,
    partialText: () => "",
    end: () => (grammar === soundGrammar ? "" : heard),
    score: () => (grammar === soundGrammar ? scores.sounds : scores.sentence) * frames.length * 2,
  };
}

describe("second opinion", () => {
  it("takes the best sentence where it fits about as well as mere sounds", () => {
    expect(opinionOn("check my balance", { sentence: -52, sounds: -50 })).toEqual({
      text: "check my balance",
      isSure: true,
    });
  });

  it("only guesses at one that fits worse [TURN-16]", () => {
    expect(opinionOn("check my balance", { sentence: -60, sounds: -50 })).toEqual({
      text: "check my balance",
      isSure: false,
    });
  });

  it("takes none that fits much worse", () => {
    expect(opinionOn("check my balance", { sentence: -70, sounds: -50 })).toBeUndefined();
  });

  it("agrees to words that fit about as well as mere sounds, and to no others", () => {
    expect(agreesTo("check my savings", { words: -52, sounds: -50 })).toBe(true);
    expect(agreesTo("check my savings", { words: -60, sounds: -50 })).toBe(false);
  });

  it("takes no single word, which is what a cough sounds like, too", () => {
    expect(opinionOn("yes", { sentence: -40, sounds: -50 })).toBeUndefined();
  });

  it("has none on what is shorter than two words", () => {
    expect(opinionOn("check my balance", { sentence: -40, sounds: -50 }, oneSecond.slice(0, 15))).toBeUndefined();
  });
});
