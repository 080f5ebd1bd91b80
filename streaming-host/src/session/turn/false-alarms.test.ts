import { describe, expect, it } from "vitest";
import { TurnRig } from "../../testing/turn-rig.ts";
import { bargeInSpeechMs, falseAlarmMs, waryMs } from "./turn-settings.ts";

/** Music in the caller's room: a beat twice a second, in which a detector hears speech for a moment. */
function music(rig: TurnRig, beats: number): void {
  for (let beat = 0; beat < beats; beat++) {
    rig.speak(140);
    rig.final("");
    rig.wait(200);
  }
}

function speakingAgent(settings = {}): TurnRig {
  const rig = new TurnRig(settings);
  rig.send({ type: "whole-turn", text: "hello" });
  rig.audible();
  rig.wait(1000);
  return rig;
}

function answer(rig: TurnRig): void {
  rig.drained();
  rig.send({ type: "whole-turn", text: "hello" });
  rig.audible();
}

const holds = (rig: TurnRig): number => rig.of("hold-playout").length;

describe("sounds that turn out to be nothing", () => {
  it("[BARGE-14a] pause the agent twice, and then it goes on through the music, in the next answer, too", () => {
    const rig = speakingAgent();
    music(rig, 10);
    expect(holds(rig)).toBe(2);
    rig.send({ type: "sound-started", sinceMs: rig.clock.now() - 60 });
    answer(rig);
    music(rig, 10);
    expect(holds(rig)).toBe(2);
    expect(rig.of("resume-playout")).toHaveLength(2);
    expect(rig.of("cancel-reply")).toEqual([]);
  });

  it.each(["stop", "no i lost my card"])("[BARGE-14b] [BARGE-4] leave words to pause and interrupt it: %j", (words) => {
    const rig = speakingAgent();
    music(rig, 3);
    const sinceMs = rig.clock.now();
    rig.speak(400, words);
    expect(rig.of("hold-playout").at(-1)?.atMs).toBe(sinceMs + 120);
    expect(rig.of("cancel-reply")).toEqual([]);
    rig.final(words);
    expect(rig.of("cancel-reply")).toMatchObject([{ reason: "barge_in" }]);
  });

  it("[BARGE-14d] ask for the words as soon as the sound is over, in case there was no partial", () => {
    const rig = speakingAgent();
    music(rig, 3);
    const flushes = rig.of("flush-recogniser").length;
    rig.speak(200);
    expect(rig.of("flush-recogniser")).toHaveLength(flushes + 1);
    rig.final("no");
    expect(rig.of("cancel-reply")).toHaveLength(1);
  });

  it("[BARGE-14d] [BARGE-3a] do not let a word that the recogniser withdraws end the answer", () => {
    const rig = speakingAgent();
    music(rig, 3);
    rig.speak(200, "i meant");
    rig.final("");
    expect(rig.of("resume-playout")).toHaveLength(3);
    expect(rig.of("cancel-reply")).toEqual([]);
  });

  it("[BARGE-14b] [BARGE-2b] leave speech of 800 ms to interrupt it, understood or not", () => {
    const rig = speakingAgent();
    music(rig, 3);
    const sinceMs = rig.clock.now();
    rig.speak(2000);
    expect(rig.of("cancel-reply")).toMatchObject([{ reason: "barge_in", atMs: sinceMs + bargeInSpeechMs }]);
  });

  it("[BARGE-14b] [BARGE-2a] leave words to interrupt it 300 ms after the speech, however late the recogniser is", () => {
    const rig = speakingAgent();
    music(rig, 3);
    rig.speak(400, "i lost my card");
    const stoppedMs = rig.clock.now() - 160;
    rig.wait(1000);
    expect(rig.of("cancel-reply")).toMatchObject([{ reason: "barge_in", atMs: stoppedMs + falseAlarmMs }]);
  });

  it("[BARGE-6] hold back an answer that is not audible yet, however many there were", () => {
    const rig = speakingAgent();
    music(rig, 3);
    rig.drained();
    rig.send({ type: "whole-turn", text: "what is my balance" });
    rig.send({ type: "speech-started", sinceMs: rig.clock.now() - 120 });
    expect(holds(rig)).toBe(3);
  });

  it("[BARGE-14a] [BARGE-1] are none where they were too short to pause it", () => {
    const rig = speakingAgent({ bargeInThresholdMs: 400 });
    music(rig, 3);
    const startedMs = rig.clock.now();
    rig.speak(700);
    expect(rig.of("hold-playout").map(({ atMs }) => atMs)).toEqual([startedMs + 400]);
  });

  it("[BARGE-14d] [TURN-13d] are no answer to its question, whatever the recogniser takes them for", () => {
    const rig = new TurnRig({ expected: { kind: "yes-or-no" } });
    rig.send({ type: "whole-turn", text: "hello" });
    rig.audible();
    music(rig, 2);
    rig.drained();
    rig.speak(140);
    const endedMs = rig.clock.now();
    rig.send({ type: "final", text: "", guess: "no", endedMs, replyRemainingMs: 0 });
    rig.wait(2000);
    expect(rig.of("publish-words")).toEqual([]);
    expect(rig.replies.slice(1)).toMatchObject([{ kind: "clarification", text: "no" }]);
  });

  it("[BARGE-14c] pause it again 20 s after the last, or once the caller has interrupted", () => {
    const later = speakingAgent();
    music(later, 3);
    answer(later);
    later.wait(waryMs + 1);
    music(later, 1);
    expect(holds(later)).toBe(3);

    const noisy = speakingAgent();
    music(noisy, 3);
    for (let beat = 0; beat < 3; beat++) {
      noisy.wait(waryMs - 5000);
      music(noisy, 1);
    }
    expect(holds(noisy)).toBe(2);

    const interrupted = speakingAgent();
    music(interrupted, 2);
    interrupted.speak(400, "i lost my card");
    interrupted.final("i lost my card");
    interrupted.wait(1000);
    interrupted.audible();
    music(interrupted, 1);
    expect(holds(interrupted)).toBe(4);
  });
});
