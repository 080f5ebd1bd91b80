import { describe, expect, it } from "vitest";
import { isCodeOrNothing } from "./code-grammar.ts";
import type { ExpectedDigits } from "./awaited-digits.ts";
import { expectedCode } from "./expected-code.ts";
import { fakeDecoders } from "./fake-decoders.ts";

const twoSeconds = Array.from({ length: 100 }, () => new Int16Array(320));

function heardAs(
  heard: string,
  fits: Readonly<Record<string, number>>,
  expected: ExpectedDigits = { length: 4 },
): string | undefined {
  return expectedCode(fakeDecoders(fits), { frames: twoSeconds, isNoisy: false }, { ...expected, heard });
}

describe("the code that was asked for", () => {
  it("is found where the first search found nothing, if it fits", () => {
    expect(heardAs("", { "four four one two": 6 })).toBe("four four one two");
    expect(heardAs("", { "four four one two": 4 })).toBeUndefined();
  });

  it("replaces digits that fit worse than others in their place", () => {
    const fits = { "four zero one two": 16, "five zero one two": 15 };
    expect(heardAs("five zero one two", fits)).toBe("four zero one two");
  });

  it("has no digit more or fewer than were heard, because the rest may still follow", () => {
    expect(heardAs("four four", { "four four one two": 16, "four four": 15 })).toBeUndefined();
  });

  it("is not one digit, which may have been a cough", () => {
    expect(heardAs("", { eight: 16 }, {})).toBeUndefined();
    expect(heardAs("", { eight: 16 }, { length: 4, missing: 2 })).toBeUndefined();
  });

  it("is one digit where that is all that is missing", () => {
    expect(heardAs("", { eight: 16 }, { length: 4, missing: 1 })).toBe("eight");
    expect(heardAs("", { eight: 4 }, { length: 4, missing: 1 })).toBeUndefined();
  });

  it("is compared with digits alone, not with pairs, corrections and sentences", () => {
    expect(["", "oh one two", "four four one two"].every(isCodeOrNothing)).toBe(true);
    for (const text of ["forty four twelve", "one two sorry three", "repeat that"])
      expect(isCodeOrNothing(text)).toBe(false);
  });
});
