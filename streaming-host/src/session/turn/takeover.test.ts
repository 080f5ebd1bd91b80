import { describe, expect, it } from "vitest";
import {
  gapSilenceMs,
  keysUnderWayMs,
  longGapMs,
  longGapSilenceMs,
  repeatedAnswerMs,
  underWayMs,
} from "./turn-settings.ts";
import { TurnRig } from "../../testing/turn-rig.ts";

function takenOver(hasGap: boolean, gap: { readonly gapMs?: number } = {}): TurnRig {
  const rig = new TurnRig();
  rig.send({ type: "session-started", firstMove: "listen", hasGap, ...gap });
  return rig;
}

const afterLongGap = (): TurnRig => takenOver(true, { gapMs: longGapMs });

const kinds = (rig: TurnRig): string[] => rig.replies.map(({ kind }) => kind);

describe("a call that another host has lost", () => {
  it("[TAKE-3a] asks again for words whose beginning nobody heard", () => {
    const rig = takenOver(true);
    rig.speak(800, "to my savings");
    rig.final("to my savings");
    rig.wait(1000);
    expect(kinds(rig)).toEqual(["apology"]);
    rig.audible();
    rig.drained();
    rig.speak(800);
    rig.final("to my savings account");
    rig.wait(1000);
    expect(kinds(rig)).toEqual(["apology", "answer"]);
  });

  it("[TAKE-3a] asks again for the second half of a sentence when the stream was opened in the pause before it", () => {
    const rig = takenOver(true);
    rig.wait(450);
    rig.speak(800);
    rig.final("cancel my card");
    rig.wait(1000);
    expect(kinds(rig)).toEqual(["apology"]);
  });

  it("[TAKE-3a] does not act on half a sentence when its final comes after the caller was asked to repeat it", () => {
    const rig = takenOver(true);
    rig.speak(800, "to my savings");
    rig.wait(2000);
    expect(kinds(rig)).toEqual(["apology"]);
    rig.final("to my savings");
    rig.audible();
    rig.drained();
    rig.wait(1000);
    expect(kinds(rig)).toEqual(["apology"]);
  });

  it("[TAKE-3a] asks again for the end of a sentence that was too short for the detector", () => {
    const rig = takenOver(true);
    rig.wait(200);
    rig.final("savings");
    rig.wait(1000);
    expect(kinds(rig)).toEqual(["apology"]);
  });

  it("[TAKE-3g] asks a second after a gap into which a whole sentence may have been spoken, once, and then as always", () => {
    const rig = afterLongGap();
    rig.wait(longGapSilenceMs - 1);
    expect(kinds(rig)).toEqual([]);
    rig.wait(1);
    expect(kinds(rig)).toEqual(["apology"]);
    rig.audible();
    rig.drained();
    rig.wait(9999);
    expect(kinds(rig)).toEqual(["apology"]);
    rig.wait(1);
    expect(kinds(rig)).toEqual(["apology", "reprompt"]);
  });

  it("[TAKE-3g] listens to a caller who is speaking then, and answers", () => {
    const rig = afterLongGap();
    rig.wait(underWayMs + 100);
    rig.speak(1500);
    rig.final("what is my balance");
    rig.wait(1000);
    expect(kinds(rig)).toEqual(["answer"]);
    rig.audible();
    rig.drained();
    rig.wait(9999);
    expect(kinds(rig)).toEqual(["answer"]);
  });

  it.each([
    ["shorter", { gapMs: longGapMs - 1 }],
    ["not known", {}],
  ])("[TAKE-3c] [TAKE-3g] waits longer where the time without a host is %s", (_, gap) => {
    const rig = takenOver(true, gap);
    rig.wait(gapSilenceMs - 1);
    expect(kinds(rig)).toEqual([]);
    rig.wait(1);
    expect(kinds(rig)).toEqual(["apology"]);
  });

  it("[TAKE-3f] [TAKE-3g] asks 5 s after the answer that is said again, where a whole sentence may have been spoken before it", () => {
    const rig = new TurnRig();
    rig.send({ type: "session-started", firstMove: "answer", hasGap: true, gapMs: 2000 });
    rig.audible();
    rig.wait(3000);
    rig.drained();
    rig.wait(repeatedAnswerMs - 1);
    expect(kinds(rig)).toEqual(["answer"]);
    rig.wait(1);
    expect(kinds(rig)).toEqual(["answer", "apology"]);
    rig.audible();
    rig.drained();
    rig.wait(9999);
    expect(kinds(rig)).toEqual(["answer", "apology"]);
  });

  it("[TAKE-3f] [TAKE-3g] gives a caller who hears the greeting again the usual time, however long the gap was", () => {
    const rig = new TurnRig();
    rig.send({ type: "session-started", firstMove: "greet", hasGap: true, gapMs: 2000 });
    rig.audible();
    rig.drained();
    rig.wait(9999);
    expect(kinds(rig)).toEqual(["greeting"]);
  });

  it("[TAKE-3g] asks for nothing while something is done with the call", () => {
    const rig = afterLongGap();
    rig.send({ type: "effect-started", isHold: false });
    rig.wait(9999);
    expect(kinds(rig)).toEqual([]);
  });

  it("[TAKE-3f] gives a caller who has heard the answer anew the usual time, and asks again then", () => {
    const rig = new TurnRig();
    rig.send({ type: "session-started", firstMove: "answer", hasGap: true });
    rig.audible();
    rig.wait(3000);
    rig.drained();
    rig.wait(9999);
    expect(kinds(rig)).toEqual(["answer"]);
    rig.wait(1);
    expect(kinds(rig)).toEqual(["answer", "apology"]);
  });

  it("[TAKE-3a] asks again when the rest was no word at all", () => {
    const rig = takenOver(true);
    rig.speak(200);
    rig.final("");
    expect(kinds(rig)).toEqual(["apology"]);
  });

  it("[TAKE-3e] takes words for what they are that begin when somebody listens", () => {
    const rig = takenOver(true);
    rig.wait(underWayMs + 100);
    rig.speak(800);
    rig.final("my savings account");
    rig.wait(1000);
    expect(kinds(rig)).toEqual(["answer"]);
  });

  it("[TAKE-3c] asks again after a silence in which somebody may be waiting, and then as always", () => {
    const rig = takenOver(true);
    rig.wait(gapSilenceMs);
    expect(kinds(rig)).toEqual(["apology"]);
    rig.audible();
    rig.drained();
    rig.wait(gapSilenceMs);
    expect(kinds(rig)).toEqual(["apology"]);
    rig.wait(10_000);
    expect(kinds(rig)).toEqual(["apology", "reprompt"]);
  });

  it("[TAKE-3f] [EFFECT-7f] asks for nothing that was lost before the music, into which nobody spoke", () => {
    const rig = takenOver(true);
    rig.send({ type: "effect-started", isHold: true });
    rig.send({ type: "effect-ended", isHold: true, words: "resumption" });
    rig.audible();
    rig.drained();
    rig.wait(10_000);
    expect(kinds(rig)).toEqual(["resumption", "reprompt"]);
  });

  it("[TAKE-3e] does not doubt what is typed", () => {
    const rig = takenOver(true);
    rig.send({ type: "whole-turn", text: "4412" });
    expect(kinds(rig)).toEqual(["answer"]);
  });

  it("[TAKE-3b] [TURN-9a] asks again for a number whose first digits were keyed while nobody listened", () => {
    const rig = takenOver(true);
    for (let key = 0; key < 4; key++) {
      rig.wait(1500);
      rig.send({ type: "key-pressed" });
    }
    rig.send({ type: "whole-turn", text: "4412" });
    expect(kinds(rig)).toEqual(["apology"]);
    rig.audible();
    rig.drained();
    rig.send({ type: "key-pressed" });
    rig.send({ type: "whole-turn", text: "4929716352844412" });
    expect(kinds(rig)).toEqual(["apology", "answer"]);
  });

  it("[TAKE-3b] [TAKE-3d] [TURN-9a] takes a number for what it is that is begun when somebody listens, or after a handover", () => {
    const later = takenOver(true);
    later.wait(keysUnderWayMs + 100);
    const handedOver = takenOver(false);
    for (const rig of [later, handedOver]) {
      rig.send({ type: "key-pressed" });
      rig.send({ type: "whole-turn", text: "4412" });
      expect(kinds(rig)).toEqual(["answer"]);
    }
  });

  it("[TAKE-3d] asks for nothing after a handover", () => {
    const rig = takenOver(false);
    rig.speak(800);
    rig.final("my savings account");
    rig.wait(1000);
    expect(kinds(rig)).toEqual(["answer"]);
    const silent = takenOver(false);
    silent.wait(gapSilenceMs);
    expect(kinds(silent)).toEqual([]);
  });
});
