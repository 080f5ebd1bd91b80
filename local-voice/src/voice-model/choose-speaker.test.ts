import { describe, expect, it } from "vitest";
import { chooseSpeaker } from "./choose-speaker.ts";

const kokoro = ["af_heart", "af_nova", "am_adam", "bf_emma", "bm_george"];

describe("the speaker of a voice model [SPEECH-32]", () => {
  it("is the one that the agent names, or its number", () => {
    expect(chooseSpeaker(kokoro, "bm_george")).toBe(4);
    expect(chooseSpeaker(["0", "1", "2"], "2")).toBe(2);
  });

  it("sounds like the voice of a vendor that the agent names, and is always the same one", () => {
    const woman = kokoro[chooseSpeaker(kokoro, "en-US-JennyNeural")];
    expect(woman).toMatch(/^.f_/);
    expect(kokoro[chooseSpeaker(kokoro, "en-US-GuyNeural")]).toMatch(/^.m_/);
    expect(chooseSpeaker(kokoro, "somebody")).toBe(chooseSpeaker(kokoro, "somebody"));
  });

  it("is the only one of a model that has one", () => {
    expect(chooseSpeaker(["0"], "en-US-JennyNeural")).toBe(0);
  });
});
