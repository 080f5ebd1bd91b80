import { describe, expect, it } from "vitest";
import { deadAirMs, TurnRig } from "../../testing/turn-rig.ts";
import type { TimelessTurnEvent } from "./turn-events.ts";
import { bargeInSpeechMs, deadAirRetryMs, falseAlarmMs } from "./turn-settings.ts";

function speakingAgent(settings = {}): TurnRig {
  const rig = new TurnRig(settings);
  rig.send({ type: "whole-turn", text: "hello" });
  rig.audible();
  rig.wait(1000);
  return rig;
}

function greetingAgent(): TurnRig {
  const rig = new TurnRig();
  rig.send({ type: "session-started", firstMove: "greet" });
  rig.audible();
  return rig;
}

function afterMurmur(rig: TurnRig, murmur: string) {
  rig.speak(300, murmur);
  rig.final(murmur);
  const resumed = rig.of("resume-playout").length;
  rig.wait(2000);
  return { resumed, cancelled: rig.of("cancel-reply").length, replies: rig.replies.length };
}
const wentOn = { resumed: 1, cancelled: 0, replies: 1 };

describe("interruption", () => {
  it("[BARGE-1] pauses the playout in the same step in which the speech is noticed", () => {
    const rig = speakingAgent();
    rig.send({ type: "speech-started", sinceMs: rig.clock.now() - 120 });
    expect(rig.of("hold-playout")).toMatchObject([{ turnId: "turn-1", atMs: 1000 }]);
    expect(rig.effects.find(({ atMs, effect }) => atMs === 1000 && effect.type !== "clear-timer")?.effect.type).toBe(
      "hold-playout",
    );
  });

  it("[BARGE-1] [BARGE-5] silences the agent before it thinks about when the caller will have finished", () => {
    const order: string[] = [];
    const estimate = () => {
      order.push("estimated");
      return { probability: 0.5, waitMs: 500, reasons: [] };
    };
    const rig = speakingAgent({ estimator: { estimate } });
    rig.onSilence = () => void order.push("silent");
    rig.partial("please stop that");
    expect(order).toEqual(["silent", "estimated"]);
    expect(rig.of("cancel-reply")).toMatchObject([{ reason: "barge_in" }]);
  });

  it("[BARGE-1] silences the agent only where it holds or interrupts it", () => {
    const rig = speakingAgent();
    let silenced = 0;
    rig.onSilence = () => void silenced++;
    rig.final("uh-huh");
    expect(silenced).toBe(0);
    rig.speak(200);
    expect(silenced).toBe(1);
    rig.wait(1000);
    rig.drained();
    rig.send({ type: "end-requested", reason: "finished" });
    expect(silenced).toBe(1);
  });

  it("[BARGE-11a] pauses the playout at a sound, and speech that follows continues the pause", () => {
    const rig = speakingAgent();
    rig.send({ type: "sound-started", sinceMs: 940 });
    expect(rig.of("hold-playout")).toMatchObject([{ turnId: "turn-1", atMs: 1000 }]);
    rig.wait(200);
    rig.send({ type: "speech-started", sinceMs: 1100 });
    rig.wait(400);
    rig.send({ type: "speech-stopped", stoppedMs: 1500 });
    rig.final("stop");
    expect(rig.of("hold-playout")).toHaveLength(1);
    expect(rig.of("resume-playout")).toEqual([]);
    expect(rig.of("cancel-reply")).toMatchObject([{ reason: "barge_in", atMs: 1600 }]);
  });

  it("[BARGE-11b] resumes after 300 ms where a sound was not speech, and says nothing of it", () => {
    const rig = speakingAgent();
    rig.send({ type: "sound-started", sinceMs: 940 });
    rig.wait(1000);
    expect(rig.of("resume-playout").map(({ atMs }) => atMs)).toEqual([1000 + falseAlarmMs]);
    expect(rig.of("flush-recogniser")).toEqual([]);
    expect(rig.state.user.speech).toEqual({ kind: "quiet" });
    rig.drained();
    rig.wait(3000);
    expect(rig.replies).toHaveLength(1);
  });

  it("[BARGE-11a] ignores sounds where the caller may not interrupt, speech has been detected, or a sound has to last longer", () => {
    const deaf = speakingAgent({ bargeInEnabled: false });
    deaf.send({ type: "sound-started", sinceMs: 940 });
    const slow = speakingAgent({ bargeInThresholdMs: 400 });
    slow.send({ type: "sound-started", sinceMs: 940 });
    const silent = new TurnRig();
    silent.send({ type: "sound-started", sinceMs: 0 });
    for (const rig of [deaf, slow, silent]) expect(rig.of("hold-playout")).toEqual([]);
    const speaking = speakingAgent();
    speaking.send({ type: "speech-started", sinceMs: 880 });
    speaking.send({ type: "sound-started", sinceMs: 940 });
    expect(speaking.of("hold-playout")).toHaveLength(1);
  });

  it("[BARGE-1] lets speech shorter than BARGE_IN_THRESHOLD_MS pass", () => {
    const rig = speakingAgent({ bargeInThresholdMs: 400 });
    rig.speak(200);
    rig.wait(1000);
    expect(rig.of("hold-playout")).toEqual([]);
    const startedMs = rig.clock.now();
    rig.speak(700);
    expect(rig.of("hold-playout").map(({ atMs }) => atMs)).toEqual([startedMs + 400]);
  });

  it("[BARGE-2a] takes a word for an interruption, and answers it", () => {
    const rig = speakingAgent();
    rig.speak(600, "actually");
    rig.final("actually i lost my card");
    expect(rig.of("cancel-reply")).toMatchObject([{ turnId: "turn-1", reason: "barge_in", atMs: 1760 }]);
    rig.wait(1000);
    expect(rig.replies.at(-1)).toMatchObject({ text: "actually i lost my card", kind: "answer" });
  });

  it("[BARGE-2a] goes by what a late recogniser has said so far, 300 ms after the speech", () => {
    const rig = speakingAgent();
    rig.speak(600, "actually");
    rig.wait(1000);
    expect(rig.of("cancel-reply")).toMatchObject([{ reason: "barge_in", atMs: 1900 }]);
    rig.final("actually i lost my card");
    rig.wait(1000);
    expect(rig.replies.at(-1)).toMatchObject({ text: "actually i lost my card", kind: "answer" });
  });

  it("[BARGE-3a] does not go by what a murmur sounds like before it is over", () => {
    const rig = speakingAgent();
    rig.send({ type: "speech-started", sinceMs: 880 });
    rig.partial("that");
    rig.wait(300);
    rig.partial("yeah");
    rig.partial("...");
    rig.partial("yeah");
    expect(rig.of("resume-playout")).toEqual([]);
    rig.wait(160);
    rig.send({ type: "speech-stopped", stoppedMs: 1300 });
    rig.final("yeah");
    rig.wait(2000);
    expect(rig.of("resume-playout")).toHaveLength(1);
    expect(rig.of("cancel-reply")).toEqual([]);
  });

  it("[BARGE-3a] goes on after a murmur that takes its time, and not after one that becomes a sentence", () => {
    const rig = speakingAgent();
    rig.speak(900, "oh okay");
    rig.final("oh okay");
    expect(rig.of("resume-playout")).toHaveLength(1);
    expect(rig.of("cancel-reply")).toEqual([]);
    rig.send({ type: "speech-started", sinceMs: rig.clock.now() - 120 });
    rig.partial("okay");
    rig.wait(700);
    rig.partial("okay but i lost my card");
    rig.wait(500);
    expect(rig.of("cancel-reply")).toMatchObject([{ reason: "barge_in" }]);
  });

  it("[BARGE-3b] goes on after an uh-huh that a slow recogniser understands only seconds later", () => {
    const rig = speakingAgent();
    rig.speak(300);
    rig.wait(2500);
    rig.partial("uh-huh");
    rig.final("uh-huh");
    rig.wait(1000);
    expect(rig.of("resume-playout").map(({ atMs }) => atMs)).toEqual([1600]);
    expect(rig.of("cancel-reply")).toEqual([]);
    rig.drained();
    rig.wait(3000);
    expect(rig.replies).toHaveLength(1);
  });

  it("[BARGE-3b] lets the end of one noise not resume the agent over the next", () => {
    const rig = speakingAgent();
    rig.speak(300);
    rig.final("");
    rig.send({ type: "speech-started", sinceMs: rig.clock.now() - 120 });
    rig.wait(falseAlarmMs + 100);
    expect(rig.of("hold-playout")).toHaveLength(2);
    expect(rig.of("resume-playout")).toHaveLength(1);
  });

  it("[BARGE-2b] takes 800 ms of speech without a word for an interruption", () => {
    const rig = speakingAgent();
    rig.speak(1000);
    expect(rig.of("cancel-reply").map(({ atMs }) => atMs)).toEqual([1800]);
  });

  it.each(["uh-huh", "mm-hmm", "okay", "yeah", "I see", "right"])("[BARGE-3a] goes on after %j", (backchannel) => {
    expect(afterMurmur(speakingAgent(), backchannel)).toEqual(wentOn);
  });

  it.each(["Hi.", "hello", "Good morning!"])("[BARGE-13] goes on with a greeting after %j", (greeting) => {
    expect(afterMurmur(greetingAgent(), greeting)).toEqual(wentOn);
  });

  it("[BARGE-13] is interrupted by a greeting that goes on, and by one where nobody is greeted", () => {
    const rig = greetingAgent();
    rig.speak(300, "hi");
    rig.final("hi I want to check my balance");
    expect(rig.of("cancel-reply")).toHaveLength(1);

    const answering = speakingAgent();
    answering.speak(300, "hello");
    answering.final("hello");
    expect(answering.of("cancel-reply")).toHaveLength(1);
  });

  it("[BARGE-3b] goes on 300 ms after a noise, whether the recogniser has answered or not", () => {
    const rig = speakingAgent();
    rig.speak(300);
    rig.wait(3000);
    expect(rig.of("resume-playout").map(({ atMs }) => atMs)).toEqual([1600]);
    expect(rig.of("flush-recogniser").map(({ atMs }) => atMs)).toEqual([1460]);
  });

  it.each<TimelessTurnEvent>([{ type: "caller-finished" }, { type: "paused", isPaused: true }])(
    "[BARGE-3b] goes on soon after the client has said that the speech is over: $type",
    (event) => {
      const rig = speakingAgent();
      rig.wait(120);
      rig.send({ type: "speech-started", sinceMs: 1000 });
      expect(rig.of("hold-playout")).toHaveLength(1);
      rig.wait(300);
      rig.send(event);
      rig.wait(3000);
      expect(rig.of("resume-playout").map(({ atMs }) => atMs)).toEqual([1420 + falseAlarmMs]);
    },
  );

  it("[BARGE-3b] goes on at once when the recogniser is sure that it was nothing", () => {
    const rig = speakingAgent();
    rig.speak(300);
    rig.final("");
    expect(rig.of("resume-playout").map(({ atMs }) => atMs)).toEqual([1460]);
  });

  it("[BARGE-4] is interrupted by words before BARGE_IN_THRESHOLD_MS, and at once by those that no speech was detected for", () => {
    const slow = speakingAgent({ bargeInThresholdMs: 400 });
    slow.send({ type: "speech-started", sinceMs: slow.clock.now() });
    slow.partial("please stop that");
    const sound = speakingAgent();
    sound.send({ type: "sound-started", sinceMs: sound.clock.now() - 60 });
    sound.partial("please stop that");
    for (const rig of [slow, sound]) expect(rig.of("cancel-reply")).toMatchObject([{ reason: "barge_in", atMs: 1000 }]);
  });

  it.each(["stop", "wait", "Hold on.", "no"])("[BARGE-4] is interrupted by %j alone", (command) => {
    const rig = speakingAgent();
    rig.speak(200, command);
    rig.wait(150);
    expect(rig.of("cancel-reply")).toHaveLength(1);
  });

  it("[BARGE-6] holds a reply back while the caller goes on, and answers both together", () => {
    const rig = new TurnRig();
    rig.speak(1000);
    rig.final("i lost my card");
    rig.wait(400);
    rig.send({ type: "speech-started", sinceMs: rig.clock.now() - 120 });
    expect(rig.of("hold-playout")).toHaveLength(1);
    rig.partial("it was yesterday");
    rig.send({ type: "speech-stopped", stoppedMs: rig.clock.now() });
    rig.final("it was yesterday");
    expect(rig.of("cancel-reply")).toMatchObject([{ turnId: "turn-1" }]);
    rig.wait(1000);
    expect(rig.replies.at(-1)?.text).toBe("it was yesterday");
  });

  it("[BARGE-6] lets the pending reply go on after a cough", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "hello" });
    rig.speak(200);
    rig.final("");
    expect(rig.of("resume-playout")).toHaveLength(1);
    rig.audible();
    expect(rig.state.agent.kind).toBe("speaking");
  });

  it("[BARGE-6] answers what was asked although it is noisy before the answer is there", () => {
    const rig = new TurnRig();
    rig.speak(1000);
    rig.final("what is my balance");
    rig.wait(400);
    const noiseMs = rig.clock.now();
    rig.speak(5000);
    expect(rig.of("hold-playout")).toHaveLength(1);
    expect(rig.of("resume-playout").map(({ atMs }) => atMs - noiseMs)).toEqual([bargeInSpeechMs + falseAlarmMs]);
    rig.final("");
    expect(rig.of("cancel-reply")).toEqual([]);
    expect(rig.replies).toMatchObject([{ text: "what is my balance" }]);
  });

  it("[BARGE-6] [BARGE-2a] gives the answer up for words that go on for 800 ms before it is audible", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "what is my balance" });
    rig.speak(1000, "no i lost my card");
    expect(rig.of("cancel-reply")).toMatchObject([{ reason: "barge_in", atMs: bargeInSpeechMs }]);
  });

  it("[FAIL-1] [BARGE-6] takes silence for dead air unless a sound that goes on holds the answer back", () => {
    const apologies = [
      { bargeInEnabled: true, stops: false },
      { bargeInEnabled: true, stops: true },
      { bargeInEnabled: false, stops: false },
    ].map(({ bargeInEnabled, stops }) => {
      const rig = new TurnRig({ bargeInEnabled });
      rig.send({ type: "whole-turn", text: "hello" });
      rig.wait(deadAirMs - 300);
      rig.send({ type: "speech-started", sinceMs: rig.clock.now() });
      rig.wait(200);
      if (stops) rig.send({ type: "speech-stopped", stoppedMs: rig.clock.now() });
      rig.wait(deadAirMs);
      return rig.replies[1];
    });
    expect(apologies).toMatchObject([
      { kind: "apology", atMs: deadAirMs + deadAirRetryMs },
      { kind: "apology", atMs: deadAirMs },
      { kind: "apology", atMs: deadAirMs },
    ]);
  });

  it("[BARGE-6] is interrupted by words that come late", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "what is my balance" });
    rig.speak(3000);
    rig.audible();
    rig.final("no i lost my card");
    expect(rig.of("cancel-reply")).toMatchObject([{ turnId: "turn-1", reason: "barge_in" }]);
  });

  it("[BARGE-7] is not interrupted at all when barge-in is off", () => {
    const rig = speakingAgent({ bargeInEnabled: false });
    rig.speak(2000, "stop");
    rig.final("stop");
    rig.wait(1000);
    expect(rig.of("hold-playout")).toEqual([]);
    expect(rig.of("cancel-reply")).toEqual([]);
  });

  it("[REC-3b] [TURN-11] answers what was said over the announcement after the greeting, which that does not interrupt", () => {
    const rig = new TurnRig();
    rig.send({ type: "session-started", firstMove: "greet", announces: true });
    rig.audible();
    rig.speak(1000, "i want to check");
    expect(rig.of("flush-recogniser")).toHaveLength(1);
    rig.final("i want to check my balance");
    rig.drained();
    rig.audible();
    rig.speak(200);
    rig.final("");
    rig.wait(1000);
    expect(rig.of("cancel-reply")).toEqual([]);
    rig.drained();
    rig.wait(1000);
    expect(rig.replies.map(({ kind, text }) => [kind, text])).toEqual([
      ["announcement", ""],
      ["greeting", ""],
      ["answer", "i want to check my balance"],
    ]);
  });

  it("[REC-3h] gives the answer that is owed when what was said over the announcement turns out to have no words", () => {
    const rig = new TurnRig();
    rig.send({ type: "session-started", firstMove: "answer", announces: true });
    rig.audible();
    rig.speak(300);
    rig.drained();
    expect(rig.replies).toHaveLength(1);
    rig.final("");
    expect(rig.replies.slice(1)).toMatchObject([{ kind: "answer", origin: "taken-over" }]);
  });

  it("[BARGE-8] takes a yes in the last second for an answer", () => {
    const rig = speakingAgent();
    rig.speak(300, "yes");
    rig.final("yes", 600);
    expect(rig.of("resume-playout")).toHaveLength(1);
    rig.wait(600);
    rig.drained();
    expect(rig.replies.at(-1)).toMatchObject({ text: "yes", kind: "answer" });
  });

  it("[BARGE-8] answers that yes also when noise follows it, over what the agent has to say next", () => {
    const rig = speakingAgent();
    rig.speak(300, "yes");
    rig.final("yes", 600);
    rig.send({ type: "reply-failed", turnId: `turn-${rig.state.turnCount}`, failure: "model" });
    rig.audible();
    rig.speak(400);
    rig.final("");
    rig.drained();
    rig.wait(1000);
    expect(rig.replies.at(-1)).toMatchObject({ text: "yes", kind: "answer" });
  });

  it("[BARGE-8] keeps that yes, and not the murmur that follows it over what the agent says next", () => {
    const rig = speakingAgent();
    rig.speak(300, "yes");
    rig.final("yes", 600);
    rig.send({ type: "reply-failed", turnId: `turn-${rig.state.turnCount}`, failure: "model" });
    rig.audible();
    rig.speak(300, "uh-huh");
    rig.final("uh-huh");
    rig.drained();
    rig.wait(1000);
    expect(rig.replies.at(-1)).toMatchObject({ text: "yes", kind: "answer" });
  });

  it("[BARGE-9] says its farewell to the end", () => {
    const rig = new TurnRig();
    rig.send({ type: "farewell-requested", reason: "draining" });
    rig.audible();
    rig.speak(2000, "wait");
    rig.send({ type: "whole-turn", text: "wait" });
    expect(rig.of("cancel-reply")).toEqual([]);
    rig.drained();
    expect(rig.of("end-session")).toMatchObject([{ reason: "draining" }]);
  });

  it.each(["thinking", "speaking"])(
    "[FAIL-2c] [BARGE-6] answers what is said over a reply that fails while the agent is %s, and apologises for nothing",
    (when) => {
      const rig = new TurnRig();
      rig.send({ type: "whole-turn", text: "question" });
      if (when === "speaking") rig.audible();
      rig.send({ type: "speech-started", sinceMs: rig.clock.now() - 120 });
      rig.send({ type: "reply-failed", turnId: "turn-1", failure: "model" });
      rig.wait(500);
      rig.partial("and another");
      rig.wait(1000);
      rig.send({ type: "speech-stopped", stoppedMs: rig.clock.now() });
      rig.final("and another one");
      rig.wait(600);
      expect(rig.replies.map(({ kind, text }) => [kind, text])).toEqual([
        ["answer", "question"],
        ["answer", "and another one"],
      ]);
    },
  );

  it("[FAIL-2d] [BARGE-3a] apologises for a reply that failed under a cough as soon as that turns out to be one", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "question" });
    const sinceMs = rig.clock.now();
    rig.wait(120);
    rig.send({ type: "speech-started", sinceMs });
    rig.send({ type: "reply-failed", turnId: "turn-1", failure: "model" });
    rig.wait(100);
    const stoppedMs = rig.clock.now();
    rig.send({ type: "speech-stopped", stoppedMs });
    expect(rig.replies).toHaveLength(1);
    rig.wait(2000);
    expect(rig.replies.at(-1)).toMatchObject({ kind: "apology", atMs: stoppedMs + falseAlarmMs });
    expect(rig.state.failures).toBe(1);
  });

  it.each([
    ["a yes at its end", {}],
    ["words that may not interrupt it", { bargeInEnabled: false }],
  ])(
    "[EFFECT-11d] [EFFECT-11e] [BARGE-8] keeps %s when music cuts the reply off, and says how the transfer ended",
    (_what, settings) => {
      const rig = speakingAgent(settings);
      rig.send({ type: "effect-started", isHold: false });
      rig.speak(300);
      rig.final("yes", 500);
      rig.send({ type: "hold-changed", onHold: true });
      rig.send({ type: "reply-drained", turnId: "turn-1" }); // too late
      rig.wait(5000);
      expect(rig.of("keep-words")).toMatchObject([{ text: "yes" }]);
      rig.send({ type: "hold-changed", onHold: false });
      rig.send({ type: "effect-ended", isHold: false, words: "regret" });
      expect(rig.replies.map(({ kind }) => kind)).toEqual(["answer", "regret"]);
    },
  );
});
