import { describe, expect, it } from "vitest";

import { describeMicrophoneProblem } from "./microphone-problem.ts";

const named = (name: string): Error => Object.assign(new Error("in the browser's words"), { name });

describe("a microphone that does not start", () => {
  it.each([
    ["NotAllowedError", "Allow it in the address bar"],
    ["NotFoundError", "No microphone was found"],
    ["NotReadableError", "Another program"],
    ["MicrophoneGone", "choose another"],
    ["AbortError", "could not be started"],
  ])("explains %s and says that typing works", (name, text) => {
    const sentence = describeMicrophoneProblem(named(name), true);
    expect(sentence).toContain(text);
    expect(sentence).toMatch(/you can still type/i);
  });

  it("blames the address of the page where that is the reason", () => {
    expect(describeMicrophoneProblem(new TypeError("mediaDevices is undefined"), false)).toContain("https");
  });
});
