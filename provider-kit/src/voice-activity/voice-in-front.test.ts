import { describe, expect, it } from "vitest";
import { VoiceInFront } from "./voice-in-front.ts";

const dB = (level: number): number => 10 ** (level / 20);

/** Each run: how many frames of which level. Returns whether somebody is heard in each frame. */
function hear(...runs: readonly (readonly [frames: number, levelDb: number])[]): boolean[] {
  const voice = new VoiceInFront();
  return runs.flatMap(([frames, levelDb]) =>
    Array.from({ length: frames }, () => voice.isHeard(dB(levelDb), levelDb > -70)),
  );
}

const caller = [50, -20] as const;

describe("a voice in front of others", () => {
  it("[TURN-7b] is all that is heard half a second after it has ended, though a softer one talks on", () => {
    const heard = hear(caller, [200, -45]);
    expect(heard.slice(0, 50 + 24)).not.toContain(false);
    expect(heard.slice(50 + 25)).not.toContain(true);
  });

  it("[TURN-7b] fades for a syllable and goes on without a gap", () => {
    expect(hear(caller, [20, -45], caller, [20, -45], caller)).not.toContain(false);
  });

  it("[TURN-7b] is told at once from one that was known to be behind it", () => {
    const heard = hear(caller, [100, -45], caller, [10, -45]);
    expect(heard.slice(-10)).toEqual([true, true, ...Array.from({ length: 8 }, () => false)]);
  });

  it("[TURN-7b] is told anew from others after 20 s without them", () => {
    const heard = hear(caller, [100, -45], [1000, -80], caller, [24, -45]);
    expect(heard.slice(-24)).not.toContain(false);
  });

  it("[TURN-7b] is heard again from its first vowel", () => {
    const heard = hear(caller, [100, -45], caller);
    expect(heard.indexOf(true, 100)).toBe(150 + 2);
  });

  it("[TURN-7b] is not mistaken for the loud moments of a softer one", () => {
    const television = Array.from({ length: 30 }, () => [[6, -45] as const, [2, -37] as const]).flat();
    expect(hear(caller, ...television).slice(50 + 25)).not.toContain(true);
  });

  it("[TURN-7b] may be one that is softer by 12 dB", () => {
    expect(hear(caller, [200, -32])).not.toContain(false);
  });

  it("[TURN-7b] may be as soft as the line allows where nobody was louder", () => {
    expect(hear([300, -45])).not.toContain(false);
  });

  it("[TURN-7c] may be a softer one 20 s after the louder was heard last", () => {
    const heard = hear(caller, [1000, -45]);
    expect(heard.slice(50 + 25, 50 + 600)).not.toContain(true);
    expect(heard.at(-1)).toBe(true);
  });
});
