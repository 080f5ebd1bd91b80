import { describe, expect, it } from "vitest";
import { unheardText } from "./heard-text.ts";

describe("what nobody heard of what was meant", () => {
  it("is nothing where everything was heard", () => {
    expect(unheardText("Good morning.", "Good morning.")).toBe("");
  });

  it("is everything where nothing was heard", () => {
    expect(unheardText("", "Welcome.")).toBe("Welcome.");
  });

  it("is the rest of it", () => {
    expect(unheardText("Sure. Checking", "Sure. Checking or savings?")).toBe(" or savings?");
  });

  it("does not depend on the spaces between the pieces", () => {
    expect(unheardText("The card team. I can", "The card team.I can help.")).toBe(" help.");
  });

  it("is not to be found where the words differ, or more was heard than meant", () => {
    expect(unheardText("Sorry, what?", "Sure.")).toBe("");
    expect(unheardText("Sure. And then", "Sure.")).toBe("");
  });
});
