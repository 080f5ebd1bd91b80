import { describe, expect, it } from "vitest";

import { matchHeard } from "./heard-text.ts";

describe("what was heard of what was meant", () => {
  it("is all of it", () => {
    expect(matchHeard("Good morning.", "Good morning.")).toEqual({ text: "Good morning.", unheard: "", rest: "" });
  });

  it("is its beginning", () => {
    expect(matchHeard("Sure. Checking", "Sure. Checking or savings?")).toEqual({
      text: "Sure. Checking",
      unheard: " or savings?",
      rest: "",
    });
    expect(matchHeard("", "Welcome.")).toEqual({ text: "", unheard: "Welcome.", rest: "" });
  });

  it("goes on with the words of somebody else", () => {
    expect(matchHeard("One moment. This is the card team.", "One moment.")).toEqual({
      text: "One moment.",
      unheard: "",
      rest: "This is the card team.",
    });
  });

  it("is spelled as it was reported, whatever the spaces between its pieces", () => {
    expect(matchHeard("The card team. I can help.", "The card team.I can help.")?.text).toBe(
      "The card team. I can help.",
    );
  });

  it("is not to be found where the words differ", () => {
    expect(matchHeard("Sorry, what?", "Sure.")).toBeUndefined();
  });
});
