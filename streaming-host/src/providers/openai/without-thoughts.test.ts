import { describe, expect, it } from "vitest";
import { WithoutThoughts } from "./without-thoughts.ts";

function read(...pieces: readonly string[]): string[] {
  const filter = new WithoutThoughts();
  return [...pieces.map((piece) => filter.accept(piece)), filter.end()].filter((text) => text !== "");
}

describe("an answer with thoughts", () => {
  it("loses them, and the empty lines after them, however they are cut", () => {
    const whole = "<think>\nShe asks for <b>.\n</think>\n\nYour order is on its way.";
    expect(read(whole)).toEqual(["Your order is on its way."]);
    expect(read(...whole.split("")).join("")).toBe("Your order is on its way.");
  });

  it("loses empty thoughts, which models send that were told not to think", () => {
    expect(read("<think>", "\n\n", "</think>", "\n\n", "Yes.")).toEqual(["Yes."]);
  });

  it("is not held back where it begins otherwise, and keeps what it says later", () => {
    expect(read("Yes", ". <think> is a word.")).toEqual(["Yes", ". <think> is a word."]);
    expect(read(" ", "<", "3 you")).toEqual([" <3 you"]);
  });

  it("is complete if it ends with what might have become thoughts", () => {
    expect(read(" ", "<thi")).toEqual([" <thi"]);
    expect(read("<think>never finished")).toEqual([]);
  });
});
