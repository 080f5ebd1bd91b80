import { describe, expect, it } from "vitest";
import { FakeSynthesiser } from "@voice/streaming-host/testing/fake-synthesiser";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { backgroundOf, partsOf, speakInStyle, usualStyle, variedStyles } from "./speaking-style.ts";

describe("how a caller speaks", () => {
  it("pauses in the middle of a sentence, and not in one of three words", () => {
    expect(partsOf("I want to check my balance", 400)).toEqual(["I want to", "check my balance"]);
    expect(partsOf("checking account please", 400)).toEqual(["checking account please"]);
    expect(partsOf("I want to check my balance", 0)).toEqual(["I want to check my balance"]);
    expect(partsOf("I want … to check my balance", 400)).toEqual(["I want", "to check my balance"]);
  });

  it("takes longer with a pause", async () => {
    const clock = new VirtualClock();
    const synthesiser = new FakeSynthesiser(clock);
    const samplesOf = async (style: Parameters<typeof speakInStyle>[1]): Promise<number> => {
      const spoken = speakInStyle(synthesiser, style, "one two three four", 16_000);
      await clock.advanceAsync(1000);
      return (await spoken).length;
    };
    const plain = await samplesOf(usualStyle());
    expect(await samplesOf({ ...usualStyle(), pauseMs: 400 })).toBeGreaterThan(plain);
  });

  it("has a tenth of the voice's level around it where there is noise of 20 dB, and silence otherwise", () => {
    const noise = backgroundOf({ ...usualStyle(), noiseDb: 20 });
    const squares = Array.from({ length: 16_000 }, (_, at) => (noise?.(at) ?? 0) ** 2);
    expect(Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)).toBeCloseTo(280, -1);
    expect(backgroundOf(usualStyle())).toBeUndefined();
  });

  it("has a name for each style", () => {
    expect(new Set(variedStyles.map(({ name }) => name)).size).toBe(variedStyles.length);
  });
});
