import { describe, expect, it, vi } from "vitest";
import { attemptsAt } from "./attempt.ts";
import { fakeDecoders } from "./fake-decoders.ts";
import { oneOf, wordsGrammar } from "./grammar.ts";

const halfASecond = new Int16Array(8_000);

describe("attempts at the same speech", () => {
  it("find the words that fit best, and how well", () => {
    const attempt = attemptsAt(fakeDecoders({ checking: 4, savings: 6 }), halfASecond);
    expect(attempt(oneOf(["checking", "savings"]))).toEqual({ text: "savings", fit: 6 });
    expect(attempt(wordsGrammar("checking"))).toMatchObject({ text: "checking", fit: 4 });
    expect(attempt(wordsGrammar("home"))).toBeUndefined();
  });

  it("compare it with mere sounds once, and only for what may be the answer", () => {
    const decoders = fakeDecoders({ checking: 4, savings: 6 });
    const compare = vi.spyOn(decoders.sounds, "hearWhole");
    const attempt = attemptsAt(decoders, halfASecond);
    expect(attempt(wordsGrammar("savings"), (text) => text.includes(" "))).toBeUndefined();
    expect(compare).not.toHaveBeenCalled();
    attempt(wordsGrammar("checking"));
    attempt(wordsGrammar("savings"));
    expect(compare).toHaveBeenCalledOnce();
  });
});
