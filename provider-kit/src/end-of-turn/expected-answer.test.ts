import { describe, expect, it } from "vitest";
import { expectedAnswer } from "./expected-answer.ts";

describe("what an agent's words ask for", () => {
  it.each([
    ["Your balance is ten dollars. Is there anything else?", { kind: "yes-or-no" }],
    ["Shall I do that?", { kind: "yes-or-no" }],
    ["What can I do for you?", { kind: "anything" }],
    ["Please tell me the last four digits of your social security number.", { kind: "digits", length: 4 }],
    ["Please read me the 6 digits.", { kind: "digits", length: 6 }],
    ["What is your account number?", { kind: "digits", length: undefined }],
    ["I have sent a code to the phone ending in one two.", { kind: "nothing" }],
    ["Thank you. You are verified.", { kind: "nothing" }],
    ["", { kind: "nothing" }],
  ])("%j", (text, expected) => {
    expect(expectedAnswer(text)).toEqual(expected);
  });

  it("has the words of a choice", () => {
    const expected = expectedAnswer("Sure. Checking or savings?");
    expect(expected).toEqual({ kind: "choice", words: new Set(["checking", "or", "savings"]) });
  });
});
