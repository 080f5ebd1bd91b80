import { describe, expect, it } from "vitest";
import { FakeSynthesiser } from "@voice/streaming-host/testing/fake-synthesiser";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { partsOf, speakInStyle, usualStyle, variedStyles } from "./speaking-style.ts";

describe("how a caller speaks", () => {
  it("pauses in the middle of a sentence, and not in one of three words", () => {
    expect(partsOf("I want to check my balance", 400)).toEqual(["I want to", "check my balance"]);
    expect(partsOf("checking account please", 400)).toEqual(["checking account please"]);
    expect(partsOf("I want to check my balance", 0)).toEqual(["I want to check my balance"]);
    expect(partsOf("I want … to check my balance", 400)).toEqual(["I want", "to check my balance"]);
  });

  it("takes longer with a pause, and with the noise around the words", async () => {
    const clock = new VirtualClock();
    const synthesiser = new FakeSynthesiser(clock);
    const samplesOf = async (style: Parameters<typeof speakInStyle>[1]): Promise<number> => {
      const spoken = speakInStyle(synthesiser, style, "one two three four", 16_000);
      await clock.advanceAsync(1000);
      return (await spoken).length;
    };
    const plain = await samplesOf(usualStyle());
    expect(await samplesOf({ ...usualStyle(), noiseDb: 20 })).toBe(plain + 16_000);
    expect(await samplesOf({ ...usualStyle(), pauseMs: 400 })).toBeGreaterThan(plain);
  });

  it("has a name for each style", () => {
    expect(new Set(variedStyles.map(({ name }) => name)).size).toBe(variedStyles.length);
  });
});
