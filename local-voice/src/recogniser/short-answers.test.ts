import { describe, expect, it } from "vitest";
import { fakeDecoders } from "./fake-decoders.ts";
import { greeting, yesOrNo } from "./short-answers.ts";

const soundOf = (ms: number): Int16Array[] => Array.from({ length: ms / 20 }, () => new Int16Array(320));

describe("a yes or no in a short sound", () => {
  const guess = (fit: number, ms = 500): string | undefined =>
    yesOrNo(fakeDecoders({ yes: fit, no: -20 }), soundOf(ms));

  it("is guessed at where it is more like it than like mere sounds [TURN-13h]", () => {
    expect(guess(0)).toBe("yes");
    expect(guess(-2)).toBeUndefined();
  });

  it("is not made of a word that fits clearly better [TURN-13h]", () => {
    const among = (chess: number): string | undefined => yesOrNo(fakeDecoders({ yes: 10, chess }), soundOf(500));
    expect(among(12)).toBe("yes");
    expect(among(14)).toBeUndefined();
  });

  it("is in no click and in no sentence [TURN-13h]", () => {
    expect(guess(10, 160)).toBeUndefined();
    expect(guess(10, 1000)).toBeUndefined();
  });
});

describe("a greeting where nobody has spoken yet", () => {
  const heardAs = (heard: string, fits: Readonly<Record<string, number>>, ms = 500): string | undefined =>
    greeting(fakeDecoders(fits), soundOf(ms), heard);

  it("is likelier than a number that fits about as well", () => {
    expect(heardAs("five", { hi: 26, five: 30 })).toBe("hi");
    expect(heardAs("five", { hi: 20, five: 35 })).toBeUndefined();
  });

  it("is likelier than a bye that fits about as well, and a clear bye is one [TURN-14d]", () => {
    expect(heardAs("bye", { hi: 36, bye: 39 })).toBe("hi");
    expect(heardAs("bye", { hi: 21, bye: 30 })).toBeUndefined();
  });

  it("is found where nothing was", () => {
    expect(heardAs("", { hi: 28 })).toBe("hi");
    expect(heardAs("", { hi: 15 })).toBeUndefined();
  });

  it("is not made of another short word that fits better, nor of what may be a yes or no", () => {
    expect(heardAs("", { hi: 28, goodbye: 30 })).toBeUndefined();
    expect(heardAs("", { hi: 28, no: 5 })).toBeUndefined();
  });

  it("is no murmur of a listener that fits nearly as well", () => {
    expect(heardAs("right", { hi: 33, right: 10 })).toBe("hi");
    expect(heardAs("right", { hi: 28, right: 25 })).toBeUndefined();
  });

  it.each(["goodbye", "stop", "yes", "no", "i lost my card"])("leaves %j what it is", (heard) => {
    expect(heardAs(heard, { hi: 36, [heard]: 10 })).toBeUndefined();
  });

  it("is in no click and in no sentence", () => {
    expect(heardAs("five", { hi: 30, five: 10 }, 160)).toBeUndefined();
    expect(heardAs("five", { hi: 30, five: 10 }, 1000)).toBeUndefined();
  });
});
