import { expect, it } from "vitest";
import { markSpeech, readMark, sentences } from "./marked-speech.ts";

it("marked words are told by their first and their last frame, and by no other", () => {
  for (const sentence of sentences) {
    const marked = markSpeech(new Int16Array(1000).fill(500), sentence, 320);
    const frames = [0, 1, 2, 3].map((at) => readMark(marked.subarray(at * 320, (at + 1) * 320)));
    expect(frames).toEqual([{ sentence, place: "begins" }, undefined, undefined, { sentence, place: "ends" }]);
  }
});
