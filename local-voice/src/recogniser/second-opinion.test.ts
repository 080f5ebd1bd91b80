import { describe, expect, it } from "vitest";
import type { SpeechDecoder } from "./decoder.ts";
import { fakeDecoder } from "./fake-decoders.ts";
import { buildGrammar, soundGrammar } from "./grammar.ts";
import { createSecondOpinion } from "./second-opinion.ts";
import type { Opinion } from "./attempt.ts";
import type { SecondOpinion } from "./second-opinion.ts";

const { sentences = soundGrammar } = buildGrammar({ examples: ["check my balance"], phrases: [] });
const oneSecond = Array.from({ length: 50 }, () => new Int16Array(320));

const mixture = "balance my check";

function opinionOnMixture(scores: { words: number; sentence: number; sounds: number }): Opinion | undefined {
  return opinionOf("check my balance", scores).sentenceOrWords(
    { frames: oneSecond, isNoisy: false },
    sentences,
    mixture,
  );
}

/** Recognises the same text whatever the audio is; `scores` are those of the sentence and of any phones, per 10 ms. */
function opinionOn(
  heard: string,
  scores: { sentence: number; sounds: number },
  frames = oneSecond,
  isNoisy = false,
): Opinion | undefined {
  return opinionOf(heard, scores).likelySentence({ frames, isNoisy }, sentences);
}

function opinionOf(heard: string, scores: Parameters<typeof decoderOf>[1]): SecondOpinion {
  return createSecondOpinion({ words: decoderOf(heard, scores), sounds: decoderOf(heard, scores) });
}

function decoderOf(
  heard: string,
  scores: { readonly sentence: number; readonly sounds: number; readonly words?: number },
): SpeechDecoder {
  return fakeDecoder((grammar) => {
    if (grammar === soundGrammar) return { text: "", score: scores.sounds };
    return grammar === sentences
      ? { text: heard, score: scores.sentence }
      : { text: mixture, score: scores.words ?? 0 };
  });
}

describe("second opinion", () => {
  it("takes the best sentence where it fits about as well as mere sounds", () => {
    expect(opinionOn("check my balance", { sentence: -52, sounds: -50 })).toEqual({
      text: "check my balance",
      isSure: true,
    });
  });

  it("only guesses at one that fits worse [TURN-16g]", () => {
    expect(opinionOn("check my balance", { sentence: -60, sounds: -50 })).toEqual({
      text: "check my balance",
      isSure: false,
    });
  });

  it("accepts less over a noise, where no other noise is added [TURN-16g]", () => {
    const scores = { sentence: -57, sounds: -50 };
    expect(opinionOn("check my balance", scores)).toMatchObject({ isSure: true });
    expect(opinionOn("check my balance", scores, oneSecond, true)).toMatchObject({ isSure: false });
  });

  it("takes none that fits much worse", () => {
    expect(opinionOn("check my balance", { sentence: -70, sounds: -50 })).toBeUndefined();
  });

  it.each([
    ["does not fit at all", undefined, 1],
    ["may fit at another pace", -68, 2],
    ["is hopeless", -75, 1],
  ])("listens again at another pace only where that may help: the sentence that %s", (_, sentence, times) => {
    let listened = 0;
    const text = sentence === undefined ? "" : "check my balance";
    const decoder = fakeDecoder(() => ({ text, score: sentence ?? 0 }));
    const words: SpeechDecoder = { ...decoder, forget: () => void (listened += 1) };
    const sounds = fakeDecoder(() => ({ text: "", score: -50 }));
    expect(
      createSecondOpinion({ words, sounds }).likelySentence({ frames: oneSecond, isNoisy: false }, sentences),
    ).toBeUndefined();
    expect(listened).toBe(times);
  });

  it("keeps words that are no sentence where they fit better than sounds and than every sentence", () => {
    expect(opinionOnMixture({ words: -20, sentence: -52, sounds: -50 })).toEqual({ text: mixture, isSure: true });
  });

  it("takes the sentence that fits nearly as well instead", () => {
    const opinion = { text: "check my balance", isSure: true };
    expect(opinionOnMixture({ words: -20, sentence: -30, sounds: -50 })).toEqual(opinion);
    expect(opinionOnMixture({ words: -40, sentence: -52, sounds: -50 })).toEqual(opinion);
  });

  it("only guesses where neither fits [TURN-16g]", () => {
    expect(opinionOnMixture({ words: -40, sentence: -60, sounds: -50 })).toMatchObject({ isSure: false });
    expect(opinionOnMixture({ words: -40, sentence: -70, sounds: -50 })).toBeUndefined();
  });

  it("takes no single word, which is what a cough sounds like, too", () => {
    expect(opinionOn("yes", { sentence: -40, sounds: -50 })).toBeUndefined();
  });

  it("has none on what is shorter than two words", () => {
    expect(opinionOn("check my balance", { sentence: -40, sounds: -50 }, oneSecond.slice(0, 15))).toBeUndefined();
  });

  const insteadOfMixture = (scores: { words: number; sentence: number; sounds: number }): string | undefined =>
    opinionOf("check my balance", scores).betterSentence({ frames: oneSecond, isNoisy: false }, sentences, mixture);

  it("replaces doubtful words by a sentence that fits better, and well", () => {
    expect(insteadOfMixture({ words: -53, sentence: -52, sounds: -50 })).toBe("check my balance");
  });

  it("leaves them where they fit better, or the sentence fits badly", () => {
    expect(insteadOfMixture({ words: -51, sentence: -52, sounds: -50 })).toBeUndefined();
    expect(insteadOfMixture({ words: -80, sentence: -60, sounds: -50 })).toBeUndefined();
  });
});
