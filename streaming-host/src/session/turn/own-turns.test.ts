import { createEndOfTurnEstimator } from "@voice/provider-kit/end-of-turn/estimate-end-of-turn";
import { packOf } from "@voice/shared/languages/packs";
import { describe, expect, it } from "vitest";
import { TurnRig } from "../../testing/turn-rig.ts";
import { defaultIdleMs } from "./turn-settings.ts";

const estimator = createEndOfTurnEstimator(packOf("en"));

/** The texts of all replies, for comparison as a whole. */
const texts = (rig: TurnRig): string[] => rig.replies.map(({ text }) => text);

describe("the caller's own silence", () => {
  /** The agent reprompts at 10 s, and something happens shortly before that. */
  function nearlyIdle(): TurnRig {
    const rig = new TurnRig();
    rig.send({ type: "session-started", firstMove: "listen" });
    rig.wait(defaultIdleMs - 100);
    return rig;
  }

  it("[IDLE-1] is over as soon as speech begins, however long that lasts", () => {
    const rig = nearlyIdle();
    rig.send({ type: "speech-started", sinceMs: rig.clock.now() });
    rig.wait(1500);
    expect(rig.replies).toEqual([]);
  });

  it("[IDLE-1] is over with words that the detector does not hear, final or not", () => {
    const guessed = nearlyIdle();
    guessed.partial("what is my balance");
    guessed.wait(1000);
    expect(guessed.replies).toEqual([]);
    const final = nearlyIdle();
    final.final("what is my balance");
    final.wait(1000);
    expect(final.replies).toMatchObject([{ kind: "answer", text: "what is my balance" }]);
  });
});

describe("words that the detector does not hear", () => {
  it("[TURN-2a] end their turn by when the recogniser heard them end, which is never later than now", () => {
    const endsOf = (endedMs: number) => {
      const rig = new TurnRig();
      rig.wait(1000);
      rig.send({ type: "final", text: "what is my balance", endedMs, replyRemainingMs: Infinity });
      rig.wait(2000);
      return rig.replies.map(({ atMs, anchorMs }) => ({ atMs, anchorMs }));
    };
    expect(endsOf(700)).toEqual([{ atMs: 1200, anchorMs: 700 }]);
    expect(endsOf(1400)).toEqual([{ atMs: 1500, anchorMs: 1000 }]);
  });

  it("[TURN-6a] are not waited for any longer because the recogniser repeats its guess at them", () => {
    const rig = new TurnRig();
    rig.partial("what is my balance");
    rig.wait(1500);
    rig.partial("what is my balance");
    rig.wait(1000);
    expect(rig.replies).toMatchObject([{ text: "what is my balance", atMs: 2000 }]);
  });

  it("[TURN-13e] are published, where they are a yes that is only guessed at, by the recogniser's time", () => {
    const rig = new TurnRig({ expected: { kind: "yes-or-no" } });
    rig.wait(1000);
    rig.send({ type: "final", text: "", guess: "yes", endedMs: 900, replyRemainingMs: Infinity });
    expect(rig.of("publish-words")).toMatchObject([{ text: "yes", startedAtMs: 900, endedAtMs: 900 }]);
  });
});

describe("the end of a turn of ours", () => {
  it("[TURN-3c] is sooner once the recogniser takes the same words for a whole sentence", () => {
    const rig = new TurnRig({ estimator });
    rig.speak(1000);
    rig.send({ type: "partial", text: "what is my balance", sentence: "beginning", endedMs: 1000 });
    rig.send({ type: "partial", text: "what is my balance", sentence: "whole", endedMs: 1000 });
    rig.wait(250);
    expect(rig.of("flush-recogniser")).toHaveLength(1);
  });

  it("[CTRL-1] comes with a pause of the client also where the recogniser stays at its guess", () => {
    const rig = new TurnRig();
    rig.wait(120);
    rig.send({ type: "speech-started", sinceMs: 0 });
    rig.partial("what is my balance");
    rig.wait(880);
    rig.send({ type: "paused", isPaused: true });
    rig.wait(2000);
    expect(rig.replies).toMatchObject([{ text: "what is my balance", atMs: 3000 }]);
  });

  it("[CTRL-1] is not put off by a client that pauses twice, and starts again", () => {
    const rig = new TurnRig();
    rig.speak(1000);
    rig.final("what is my balance");
    rig.send({ type: "paused", isPaused: true });
    for (const isPaused of [true, false]) {
      rig.wait(200);
      rig.send({ type: "paused", isPaused });
    }
    rig.wait(1000);
    expect(rig.replies).toMatchObject([{ atMs: 1660 }]);
  });

  it("[TURN-11] [TURN-12a] waits for a reply that may not be interrupted, although the client says that the caller has finished", () => {
    const rig = new TurnRig({ bargeInEnabled: false });
    rig.send({ type: "session-started", firstMove: "greet" });
    rig.audible();
    rig.send({ type: "speech-started", sinceMs: 0 });
    rig.wait(800);
    rig.send({ type: "caller-finished" });
    rig.send({ type: "speech-started", sinceMs: 800 });
    rig.final("what is my balance");
    expect(texts(rig)).toEqual([""]);
    rig.send({ type: "speech-stopped", stoppedMs: 900 });
    rig.drained();
    rig.wait(1000);
    expect(texts(rig)).toEqual(["", "what is my balance"]);
  });

  it("[TURN-11] loses no words that are said before the final of an earlier turn was due, and finalised after more speech", () => {
    const rig = new TurnRig();
    rig.speak(1000, "what is my balance");
    rig.wait(2500);
    rig.audible();
    rig.drained();
    rig.speak(800);
    const endedMs = rig.clock.now() - 160;
    rig.wait(200);
    rig.send({ type: "speech-started", sinceMs: rig.clock.now() - 120 });
    rig.send({ type: "final", text: "i lost my card", endedMs, replyRemainingMs: Infinity });
    rig.send({ type: "speech-stopped", stoppedMs: rig.clock.now() });
    rig.wait(1000);
    expect(texts(rig)).toEqual(["what is my balance", "i lost my card"]);
  });
});

describe("sound without words", () => {
  it("[TURN-13a] is a cough by how long it lasts, whenever in the conversation", () => {
    const rig = new TurnRig();
    rig.wait(5000);
    rig.speak(300);
    rig.final("");
    rig.wait(2000);
    expect(rig.replies).toEqual([]);
  });

  it("[TURN-13a] is forgotten when what follows has words, even if these are a hesitation", () => {
    const rig = new TurnRig();
    rig.speak(900);
    rig.final("");
    rig.wait(300);
    rig.speak(400, "um");
    rig.final("");
    rig.wait(3000);
    expect(rig.replies).toEqual([]);
  });

  it("[TURN-13c] is no answer where nothing was asked, although the recogniser had heard a no", () => {
    const rig = new TurnRig();
    rig.speak(300, "no");
    rig.final("");
    rig.wait(2000);
    expect(rig.of("publish-words")).toEqual([]);
    expect(rig.replies).toEqual([]);
  });

  it("[BARGE-3a] is neither asked about nor taken for an answer where it came over the agent's speech", () => {
    const rig = new TurnRig({ expected: { kind: "yes-or-no" } });
    rig.send({ type: "whole-turn", text: "hello" });
    rig.audible();
    rig.speak(600, "no");
    rig.final("");
    rig.drained();
    rig.wait(3000);
    expect(rig.of("publish-words")).toEqual([]);
    expect(texts(rig)).toEqual(["hello"]);
  });
});
