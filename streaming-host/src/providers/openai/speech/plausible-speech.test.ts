import { describe, expect, it } from "vitest";
import { plausibleSpeech } from "./plausible-speech.ts";

const said = {
  meanLogprob: -0.1,
  durationMs: 1_400,
  voicedMs: 1_000,
  phrases: ["Harbor Bank", "Priya Raman", "Savings Plus"],
};

describe("the words of a segment", () => {
  it.each(["I want to check my balance.", "Yes.", "No, thank you.", "Harbor Bank", "42"])("are kept: %s", (text) => {
    expect(plausibleSpeech({ ...said, text })).toBe(text);
  });

  it.each([
    ["...", {}],
    ["Thanks for watching!", { durationMs: 160, voicedMs: 160 }],
    ["Thank you.", { durationMs: 500, voicedMs: 120 }],
    ["Thank you.", { meanLogprob: -0.9 }],
    ["Thank you very much for the nice and long conversation.", { durationMs: 400 }],
    ["Bear with me", { meanLogprob: -1.4 }],
    ["Harbor Bank, Priya Raman, Savings Plus", {}],
  ])("are not believed where noise has made them: %s %o", (text, how) => {
    expect(plausibleSpeech({ ...said, ...how, text })).toBe("");
  });

  it("are believed when somebody thanks audibly, and when a server does not say how sure it is", () => {
    expect(plausibleSpeech({ ...said, text: "Thank you." })).toBe("Thank you.");
    expect(plausibleSpeech({ ...said, meanLogprob: undefined, text: " Thank you. " })).toBe("Thank you.");
  });
});
