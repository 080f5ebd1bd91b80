import { describe, expect, it } from "vitest";
import { voiceInLanguage } from "./voice-in-language.ts";

const ava = "en-US-AvaMultilingualNeural";

describe("[LANG-5] the voice of an agent", () => {
  it("is the language's own where nobody chose one, at the same speed and without a style that it may not have", () => {
    expect(voiceInLanguage({ name: ava, style: "chat", rate: "+3%" }, "de-AT", ava)).toEqual({
      name: "de-AT-IngridNeural",
      rate: "+3%",
    });
  });

  it.each([
    ["speaks the language", { name: ava }, "en-GB"],
    ["was named for the agent", { name: "en-US-BrianMultilingualNeural" }, "de-DE"],
    ["is somebody's own", { name: ava, endpointId: "4711" }, "de-DE"],
    ["is of a language without a pack", { name: ava }, "it-IT"],
  ])("stays where it %s", (_why, voice, language) => {
    expect(voiceInLanguage(voice, language, ava)).toBe(voice);
  });

  it("stays where it has no language: a model's own voices speak all of them", () => {
    expect(voiceInLanguage({ name: "alloy" }, "de-DE", "alloy")).toEqual({ name: "alloy" });
  });
});
