import { expect, it } from "vitest";
import { fakeDecoder } from "./fake-decoders.ts";
import { oneOf } from "./grammar.ts";
import { Segment } from "./segment.ts";

/** What is said of a code of four digits, where the decoder has these words before the utterance is ended, and those after it. */
function codeHeard(sounded: string, ended: string): string[] {
  const decoder = { ...fakeDecoder(() => ({ text: ended, score: 0 })), partialText: () => sounded };
  const said: string[] = [];
  const segment = new Segment({
    startMs: 0,
    frames: [],
    goesOn: true,
    grammar: oneOf(["seven", "two", "nine", "six"]),
    awaits: { type: "digits", length: 4 },
    decoders: { take: () => decoder, release: () => undefined, prepare: async () => undefined },
    sentenceState: () => undefined,
    secondOpinion: {
      likelySentence: () => undefined,
      sentenceOrWords: () => undefined,
      betterSentence: () => undefined,
      code: () => undefined,
      greeting: () => undefined,
      yesOrNo: () => undefined,
    },
    onPartial: ({ text }) => said.push(text),
    onFinal: ({ text }) => said.push(text),
  });
  segment.hear({ raw: new Int16Array(320), gated: new Int16Array(320) });
  segment.pause();
  segment.decode(200, 140);
  segment.finish(60);
  segment.decode(220, 160);
  return said;
}

it("has no digit of a code that the caller has not said before a pause", () => {
  expect(codeHeard("seven two nine", "seven two eight nine")).toEqual(["seven two nine", "seven two nine"]);
  expect(codeHeard("seven two nine six", "seven two nine six")).toEqual(["seven two nine six", "seven two nine six"]);
});

it("takes the whole utterance's words where those before were no code, or had more digits", () => {
  for (const sounded of ["", "seven two nice", "seven two two nine six"])
    expect(codeHeard(sounded, "seven two nine six").at(-1)).toBe("seven two nine six");
});
