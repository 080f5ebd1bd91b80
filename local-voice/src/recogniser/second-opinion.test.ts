import { describe, expect, it } from "vitest";
import type { SpeechDecoder } from "./decoder.ts";
import { buildGrammar, soundGrammar } from "./grammar.ts";
import type { Grammar } from "./grammar.ts";
import { createSecondOpinion } from "./second-opinion.ts";

const { sentences = soundGrammar } = buildGrammar({ examples: ["check my balance"], phrases: [] });
const oneSecond = Array.from({ length: 50 }, () => new Int16Array(320));

/** Recognises the same text whatever the audio is; `scores` are those of the sentence and of any phones, per 10 ms. */
function opinionOn(heard: string, scores: { sentence: number; sounds: number }, frames = oneSecond): string {
  let grammar: Grammar | undefined;
  const decoder: SpeechDecoder = {
    get grammar() {
      return grammar;
    },
    setGrammar: (next) => void (grammar = next),
    forget: () => undefined,
    begin: () => undefined,
    hear: () => undefined,
    partialText: () => "",
    end: () => (grammar === sentences ? heard : ""),
    score: () => (grammar === sentences ? scores.sentence : scores.sounds) * frames.length * 2,
  };
  return createSecondOpinion(decoder)(frames, sentences);
}

describe("second opinion", () => {
  it("takes the best sentence where it fits about as well as mere sounds", () => {
    expect(opinionOn("check my balance", { sentence: -52, sounds: -50 })).toBe("check my balance");
  });

  it("takes none that fits much worse", () => {
    expect(opinionOn("check my balance", { sentence: -60, sounds: -50 })).toBe("");
  });

  it("takes no single word, which is what a cough sounds like, too", () => {
    expect(opinionOn("yes", { sentence: -40, sounds: -50 })).toBe("");
  });

  it("has none on what is shorter than two words", () => {
    expect(opinionOn("check my balance", { sentence: -40, sounds: -50 }, oneSecond.slice(0, 15))).toBe("");
  });
});
