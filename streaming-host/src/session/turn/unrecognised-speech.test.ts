import { describe, expect, it } from "vitest";
import { TurnRig } from "../../testing/turn-rig.ts";

function guessed(rig: TurnRig, guess: string): void {
  rig.send({ type: "final", text: "", guess, endedMs: rig.clock.now(), replyRemainingMs: Number.POSITIVE_INFINITY });
}

describe("a guess at what was said", () => {
  it("is the agent's to ask about, no sooner than other speech that was not understood [TURN-16a]", () => {
    const rig = new TurnRig();
    rig.speak(900);
    guessed(rig, "block my card");
    rig.wait(900);
    expect(rig.replies).toEqual([]);
    rig.wait(600);
    expect(rig.replies).toMatchObject([{ kind: "clarification", text: "block my card" }]);
  });

  it("is forgotten when the caller goes on in words [TURN-16f]", () => {
    const rig = new TurnRig();
    rig.speak(900);
    guessed(rig, "block my card");
    rig.wait(300);
    rig.speak(900, "what is my balance");
    rig.final("what is my balance");
    rig.wait(3000);
    expect(rig.replies).toMatchObject([{ kind: "answer", text: "what is my balance" }]);
  });

  it("is forgotten when the next sound brings none [TURN-16f]", () => {
    const rig = new TurnRig();
    rig.speak(900);
    guessed(rig, "block my card");
    rig.wait(300);
    rig.speak(900);
    rig.final("");
    rig.wait(3000);
    expect(rig.replies).toMatchObject([{ kind: "clarification", text: "" }]);
  });

  it("interrupts nobody [TURN-16f]", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "hello" });
    rig.audible();
    rig.speak(500);
    guessed(rig, "block my card");
    rig.wait(2000);
    expect(rig.replies).toHaveLength(1);
    expect(rig.of("resume-playout")).toHaveLength(1);
  });
});
