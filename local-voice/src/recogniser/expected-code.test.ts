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
  frames = twoSeconds,
): string | undefined {
  const opinion = expectedCode(fakeDecoders(fits), { frames, isNoisy: false }, { ...expected, heard });
  return opinion && (opinion.isSure ? opinion.text : `${opinion.text}?`);
}

describe("the code that was asked for", () => {
  it("is found where the first search found nothing, if it fits", () => {
    expect(heardAs("", { "four four one two": 6 })).toBe("four four one two");
  });

  it("[CODE-10] is sure where several attempts find the same digits, also if they fit no better than people's usually do", () => {
    expect(heardAs("", { "four four one two": -1 })).toBe("four four one two");
    expect(heardAs("", { "four four one two": -3 })).toBeUndefined();
  });

  it("[CODE-9] is asked about, and not accepted, where other digits were heard and none fit well", () => {
    expect(heardAs("five zero one two", { "four zero one two": 3, "five zero one two": 2 })).toBe("four zero one two?");
  });

  it("[CODE-11] is not longer than people need for its digits", () => {
    const fourSeconds = Array.from({ length: 200 }, () => new Int16Array(320));
    expect(heardAs("", { "four four one two": 6 }, { length: 4 }, fourSeconds)).toBeUndefined();
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
    const oneDigit = twoSeconds.slice(0, 35);
    expect(heardAs("", { eight: 16 }, { length: 4, missing: 1 }, oneDigit)).toBe("eight");
    expect(heardAs("", { eight: -3 }, { length: 4, missing: 1 }, oneDigit)).toBeUndefined();
  });

  it("is compared with digits alone, not with pairs, corrections and sentences", () => {
    expect(["", "oh one two", "four four one two"].every(isCodeOrNothing)).toBe(true);
    for (const text of ["forty four twelve", "one two sorry three", "repeat that"])
      expect(isCodeOrNothing(text)).toBe(false);
  });
});
