import { describe, expect, it } from "vitest";
import { TurnRig } from "../../testing/turn-rig.ts";

describe("an answer that is prepared while the turn may be over", () => {
  it("[TURN-10] prepares an answer during the wait and uses it for the same words", () => {
    const rig = new TurnRig();
    rig.speak(1000, "what is my balance");
    expect(rig.of("prepare-reply")).toMatchObject([{ text: "what is my balance" }]);
    rig.final("What is my balance?");
    rig.wait(1000);
    expect(rig.replies.at(-1)?.prepared).toBe(true);
    expect(rig.of("discard-prepared")).toEqual([]);
  });

  it("[TURN-10] discards what was prepared for other words", () => {
    const rig = new TurnRig();
    rig.speak(1000, "what is it");
    rig.final("what is my balance");
    rig.wait(1000);
    expect(rig.of("prepare-reply").map(({ text }) => text)).toEqual(["what is it", "what is my balance"]);
    expect(rig.of("discard-prepared")).toHaveLength(1);
    expect(rig.replies.at(-1)).toMatchObject({ text: "what is my balance", prepared: true });
  });

  it("[TURN-10] discards what was prepared for words that turn out to be others, a hesitation or none", () => {
    for (const [partial, final] of [
      ["what is it", "what is my balance"],
      ["um", "um"],
      ["what is it", ""],
    ] as const) {
      const rig = new TurnRig();
      rig.speak(1000, partial);
      rig.wait(500);
      rig.final(final);
      expect(rig.of("prepare-reply")).toMatchObject([{ text: partial }]);
      expect(rig.of("discard-prepared")).toHaveLength(1);
      expect(rig.replies.map(({ text, prepared }) => ({ text, prepared }))).toEqual(
        final === "what is my balance" ? [{ text: final, prepared: false }] : [],
      );
    }
  });

  it("[TURN-10] prepares nothing for words that are clearly unfinished", () => {
    const prepared = [0.19, 0.2].map((probability) => {
      const rig = new TurnRig({
        estimator: { estimate: ({ middleMs }) => ({ probability, waitMs: middleMs, reasons: ["settled"] }) },
      });
      rig.speak(1000, "what is my");
      return rig.of("prepare-reply").length;
    });
    expect(prepared).toEqual([0, 1]);
  });

  it("[TURN-10] prepares at most three times in a turn", () => {
    const rig = new TurnRig();
    const texts = ["please", "please pay", "please pay it", "please pay it now", "please pay it now thanks"];
    for (const rounds of [1, 2]) {
      for (const text of texts) {
        rig.speak(300);
        rig.final(text);
      }
      expect(rig.of("prepare-reply")).toHaveLength(3 * rounds);
      rig.wait(500);
      rig.audible();
      rig.drained();
    }
  });
});
