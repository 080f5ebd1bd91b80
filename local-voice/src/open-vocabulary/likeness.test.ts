import { describe, expect, it } from "vitest";
import { likenessOf } from "./likeness.ts";

describe("the likeness of two transcripts", () => {
  it("is whole where only capitals, punctuation, fillers and contractions differ", () => {
    expect(likenessOf("i would like to check my balance", "Um, I'd like to check my balance, please.")).toEqual({
      words: 1,
      hasSameNumbers: true,
    });
  });

  it("is nearly whole where one word has another ending or a slip", () => {
    expect(likenessOf("somebody stole my credit card", "Somebody stole my credits card.").words).toBeGreaterThan(0.9);
  });

  it("is low where the sentences have little in common", () => {
    expect(likenessOf("when are you open thank you", "We are looking for a table for two tonight.").words).toBeLessThan(
      0.3,
    );
  });

  it("compares numbers by their value, however they are written", () => {
    const grammar = "send five hundred dollars to my friend";
    expect(likenessOf(grammar, "Send $500 to my friend.")).toEqual({ words: 1, hasSameNumbers: true });
    expect(likenessOf(grammar, "Send 900 dollars to my friend.")).toMatchObject({ words: 1, hasSameNumbers: false });
  });

  it("is whole between nothing and nothing", () => {
    expect(likenessOf("", "").words).toBe(1);
  });
});
