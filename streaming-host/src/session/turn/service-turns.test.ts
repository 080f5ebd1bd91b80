import { describe, expect, it } from "vitest";
import { deadAirMs, TurnRig } from "../../testing/turn-rig.ts";
import { realtimePolicy } from "./turn-policy.ts";
import { defaultIdleMs as idleMs, falseAlarmMs, noEndpointing } from "./turn-settings.ts";

function listening(): TurnRig {
  const rig = new TurnRig({ ...noEndpointing, policy: realtimePolicy });
  rig.send({ type: "session-started", firstMove: "listen" });
  return rig;
}

/** The service has heard a turn and begins to answer it. */
function answering(): TurnRig {
  const rig = listening();
  rig.speak(800);
  rig.final("my balance");
  rig.send({ type: "response-started" });
  return rig;
}

describe("turns that the service ends", () => {
  it("are not ended by us, however long the caller is silent after words", () => {
    const rig = listening();
    rig.speak(800);
    rig.final("my balance");
    rig.wait(deadAirMs - 1);
    expect(rig.replies).toEqual([]);
    expect(rig.of("prepare-reply")).toEqual([]);
    expect(rig.of("set-timer").map(({ timer }) => timer)).toEqual(["idle", "dead-air"]);
  });

  it("are answered by the service unasked, measured from the end of the speech", () => {
    const rig = listening();
    rig.wait(1000);
    rig.speak(800);
    rig.send({ type: "response-started" });
    expect(rig.replies).toMatchObject([{ kind: "answer", origin: "service", anchorMs: 1800 }]);
  });

  it("[TURN-12c] end when the client says so while the caller is heard, and are answered", () => {
    const rig = listening();
    rig.wait(1000);
    rig.send({ type: "speech-started", sinceMs: 1000 });
    rig.wait(800);
    rig.send({ type: "caller-finished" });
    expect(rig.of("flush-recogniser")).toHaveLength(1);
    rig.send({ type: "response-started" });
    expect(rig.replies).toMatchObject([{ kind: "answer", origin: "service", anchorMs: 1800 }]);
  });

  it("[TURN-12c] are left to the service when the client says so after the caller was heard", () => {
    const rig = answering();
    rig.send({ type: "caller-finished" });
    expect(rig.of("flush-recogniser")).toEqual([]);
  });

  it("[TURN-12c] are not ended twice by the silence after the client's own end", () => {
    const rig = listening();
    rig.send({ type: "speech-started", sinceMs: 0 });
    rig.wait(800);
    rig.send({ type: "caller-finished" });
    rig.send({ type: "response-started" });
    rig.audible();
    rig.send({ type: "speech-stopped", stoppedMs: 1300 });
    rig.drained();
    rig.wait(deadAirMs);
    expect(rig.replies.map(({ kind }) => kind)).not.toContain("apology");
  });

  it("[TURN-11] answer what was typed into an announcement, also when noise follows it", () => {
    const rig = new TurnRig({ ...noEndpointing, policy: realtimePolicy });
    rig.send({ type: "session-started", firstMove: "listen", announces: true });
    rig.audible();
    rig.send({ type: "whole-turn", text: "my balance" });
    rig.speak(500);
    rig.final("");
    rig.drained();
    expect(rig.replies.at(-1)).toMatchObject({ kind: "answer", text: "my balance" });
  });

  it("[TURN-11] answer what was typed into an announcement that failed, when noise has cut off the apology", () => {
    const rig = new TurnRig({ ...noEndpointing, policy: realtimePolicy });
    rig.send({ type: "session-started", firstMove: "listen", announces: true });
    rig.send({ type: "whole-turn", text: "my balance" });
    rig.send({ type: "reply-failed", turnId: "turn-1", failure: "model" });
    rig.speak(500);
    rig.final("");
    expect(rig.replies.at(-1)).toMatchObject({ kind: "answer", text: "my balance" });
  });

  it("[REC-3h] answer what was said over an announcement together with what is owed, and what is owed alone after a cough", () => {
    const saidOverAnnouncement = (): TurnRig => {
      const rig = new TurnRig({ ...noEndpointing, policy: realtimePolicy });
      rig.send({ type: "session-started", firstMove: "answer", announces: true });
      rig.audible();
      rig.speak(500);
      rig.drained();
      expect(rig.replies).toHaveLength(1);
      return rig;
    };
    const words = saidOverAnnouncement();
    words.final("and on sundays");
    words.send({ type: "response-started" });
    words.audible();
    words.drained();
    words.wait(1000);
    expect(words.replies.slice(1)).toMatchObject([{ kind: "answer", origin: "service" }]);
    const cough = saidOverAnnouncement();
    cough.final("");
    expect(cough.replies.slice(1)).toMatchObject([{ kind: "answer", origin: "taken-over" }]);
  });

  it("[HIST-1] keep their words with the reply that has begun before they were transcribed", () => {
    const rig = listening();
    rig.speak(800);
    rig.send({ type: "response-started" });
    rig.final("my balance");
    expect(rig.of("keep-words")).toMatchObject([{ turnId: "turn-1", text: "my balance" }]);
  });

  it("[FAIL-1] bring an apology when the service does not answer, whose own answer is no longer wanted", () => {
    const rig = listening();
    rig.speak(800);
    const stoppedMs = rig.clock.now();
    rig.wait(deadAirMs);
    expect(rig.of("refuse-response")).toHaveLength(1);
    expect(rig.replies).toMatchObject([{ kind: "apology", atMs: stoppedMs + deadAirMs }]);
  });

  it("[FAIL-1] bring an apology when the service begins its answer late and is not heard in time", () => {
    const rig = listening();
    rig.speak(800);
    const stoppedMs = rig.clock.now();
    rig.wait(deadAirMs - 1000);
    rig.send({ type: "response-started" });
    rig.wait(1000);
    expect(rig.replies.at(-1)).toMatchObject({ kind: "apology", atMs: stoppedMs + deadAirMs });
  });

  it("are not waited for while the caller speaks on", () => {
    const rig = listening();
    rig.speak(800);
    rig.wait(deadAirMs / 2);
    rig.send({ type: "speech-started", sinceMs: rig.clock.now() });
    rig.wait(3 * deadAirMs);
    expect(rig.replies).toEqual([]);
  });

  it("[IDLE-1] are none when there was sound without words, and the silence is the caller's", () => {
    const rig = listening();
    rig.speak(300);
    rig.final("");
    rig.wait(idleMs);
    expect(rig.replies).toMatchObject([{ kind: "reprompt" }]);
  });

  it("[TURN-11] are expected to be answered when the reply that could not be interrupted was heard", () => {
    const rig = listening();
    rig.send({ type: "effect-started", isHold: false });
    rig.send({ type: "effect-ended", isHold: false, words: "regret" });
    rig.audible();
    rig.speak(100);
    rig.drained();
    rig.wait(deadAirMs);
    expect(rig.replies.at(-1)).toMatchObject({ kind: "apology" });
  });

  it("[BARGE-1] interrupt at the caller's first sound, and nothing is held while the speech is judged", () => {
    const rig = answering();
    rig.audible();
    rig.send({ type: "speech-started", sinceMs: rig.clock.now() });
    expect(rig.of("cancel-reply")).toMatchObject([{ reason: "barge_in" }]);
    expect(rig.of("hold-playout")).toEqual([]);
  });

  describe("[BARGE-3c] [BARGE-6] interrupted by a sound in which the service finds no words", () => {
    it("go on with the answer that the sound has stopped, after a moment in which the service may answer", () => {
      const rig = answering();
      rig.audible();
      rig.speak(300);
      rig.final("");
      const noWordsMs = rig.clock.now();
      rig.wait(falseAlarmMs);
      expect(rig.replies.at(-1)).toMatchObject({
        kind: "answer",
        text: "",
        origin: "noise",
        atMs: noWordsMs + falseAlarmMs,
      });
    });

    it("go on with an answer that was awaited, a greeting, and an operator's line in its words", () => {
      const awaited = listening();
      awaited.speak(800);
      awaited.speak(300);
      awaited.final("my balance");
      awaited.final("");
      awaited.wait(falseAlarmMs);
      expect(awaited.replies).toMatchObject([{ kind: "answer", origin: "noise" }]);
      const greeted = new TurnRig({ ...noEndpointing, policy: realtimePolicy });
      greeted.send({ type: "session-started", firstMove: "greet" });
      greeted.speak(300);
      greeted.final("");
      greeted.wait(falseAlarmMs);
      expect(greeted.replies.map(({ kind }) => kind)).toEqual(["greeting", "greeting"]);
      const line = listening();
      line.send({ type: "line-given", text: "A person will call you." });
      line.speak(300);
      line.final("");
      line.wait(falseAlarmMs);
      expect(line.replies.at(-1)).toMatchObject({ kind: "line", text: "A person will call you." });
    });

    it("[BARGE-3f] [END-3] hang up after a goodbye that the sound has stopped, but not after one that words have", () => {
      const rig = answering();
      rig.send({ type: "end-requested", reason: "the caller said goodbye" });
      rig.audible();
      rig.speak(300);
      rig.final("");
      rig.wait(falseAlarmMs);
      rig.audible();
      rig.drained();
      expect(rig.of("end-session")).toMatchObject([{ reason: "the caller said goodbye" }]);
      const more = answering();
      more.send({ type: "end-requested", reason: "the caller said goodbye" });
      more.audible();
      more.speak(800);
      more.send({ type: "response-started" });
      more.final("wait, one more thing");
      more.drained();
      expect(more.of("end-session")).toEqual([]);
    });

    it("[OPS-3b] go on before an operator's line that came meanwhile, because nobody would go back to the caller's words after it", () => {
      const rig = answering();
      rig.send({ type: "line-given", text: "A person will call you." });
      rig.speak(300);
      rig.final("");
      rig.wait(falseAlarmMs);
      rig.audible();
      rig.drained();
      expect(rig.replies.slice(1)).toMatchObject([{ kind: "answer", origin: "noise" }, { kind: "line" }]);
    });

    it("are answered by the service where it has heard something in it after all", () => {
      const rig = answering();
      rig.speak(300);
      rig.final("");
      rig.send({ type: "response-started" });
      rig.wait(falseAlarmMs);
      expect(rig.replies.map(({ origin }) => origin)).toEqual(["service", "service"]);
    });

    it("wait for a caller who makes another sound, and give up after three", () => {
      const rig = answering();
      for (let sound = 0; sound < 4; sound++) {
        rig.speak(200);
        rig.final("");
        rig.speak(200);
        rig.final("");
        rig.wait(falseAlarmMs);
      }
      expect(rig.replies.map(({ origin }) => origin)).toEqual(["service", "noise", "noise", "noise"]);
    });
  });

  it("[VM-2] are not answered when an answering machine speaks, although the service would", () => {
    const rig = listening();
    rig.send({ type: "voicemail-answered" });
    rig.send({ type: "response-started" });
    expect(rig.replies).toEqual([]);
    expect(rig.of("refuse-response")).toHaveLength(1);
  });

  it("have a guardrail's own words said in place of a reply that it stopped", () => {
    const rig = answering();
    rig.send({ type: "reply-stopped", turnId: "turn-1", text: "I cannot say that." });
    expect(rig.of("cancel-reply")).toMatchObject([{ turnId: "turn-1", reason: "superseded" }]);
    expect(rig.replies.at(-1)).toMatchObject({ kind: "replacement", text: "I cannot say that." });
  });
});

describe("a connection that is lost", () => {
  it("[FAIL-4i] say an operator's line and a guardrail's words again when their connection is lost, word for word", () => {
    const rig = new TurnRig({ ...noEndpointing, policy: realtimePolicy });
    rig.send({ type: "line-given", text: "A person will call you." });
    rig.send({ type: "reply-lost", turnId: "turn-1" });
    rig.send({ type: "reply-stopped", turnId: "turn-2", text: "I cannot say that." });
    rig.send({ type: "reply-lost", turnId: "turn-3" });
    expect(rig.replies).toMatchObject([
      { kind: "line", text: "A person will call you." },
      { kind: "line", text: "A person will call you.", origin: "lost-connection" },
      { kind: "replacement", text: "I cannot say that." },
      { kind: "replacement", text: "I cannot say that.", origin: "lost-connection" },
    ]);
  });

  it("[FAIL-4d] has its reply asked for again on the next one", () => {
    const rig = answering();
    rig.audible();
    rig.send({ type: "reply-lost", turnId: "turn-1" });
    expect(rig.of("cancel-reply")).toMatchObject([{ turnId: "turn-1", reason: "dead_air" }]);
    expect(rig.replies.at(-1)).toMatchObject({ kind: "answer", origin: "lost-connection", text: "" });
  });

  it("[EFFECT-11d] keeps what was typed before a hold into which the caller then speaks, and says afterwards that it is over", () => {
    const rig = new TurnRig({ ...noEndpointing, policy: realtimePolicy });
    rig.send({ type: "session-started", firstMove: "greet", announces: true });
    rig.send({ type: "whole-turn", text: "stop" });
    rig.send({ type: "reply-failed", turnId: "turn-1", failure: "model" });
    rig.send({ type: "effect-started", isHold: true });
    rig.speak(800);
    expect(rig.of("keep-words")).toMatchObject([{ text: "stop" }]);
    rig.send({ type: "effect-ended", isHold: true, words: "resumption" });
    expect(rig.replies.map(({ kind }) => kind)).toEqual(["announcement", "greeting", "resumption"]);
  });

  it("[EFFECT-11d] has no reprompt said again to a caller who hears music by now", () => {
    const rig = listening();
    rig.send({ type: "timer", timer: "idle" });
    rig.send({ type: "effect-started", isHold: false });
    rig.send({ type: "hold-changed", onHold: true });
    const before = rig.replies.length;
    expect(rig.replies.at(-1)).toMatchObject({ kind: "reprompt" });
    rig.send({ type: "reply-lost", turnId: rig.replies.at(-1)?.turnId ?? "" });
    expect(rig.replies).toHaveLength(before);
  });

  it("[FAIL-4i] has a reprompt said again without music", () => {
    const rig = listening();
    rig.send({ type: "timer", timer: "idle" });
    rig.send({ type: "reply-lost", turnId: rig.replies.at(-1)?.turnId ?? "" });
    expect(rig.replies.at(-1)).toMatchObject({ kind: "reprompt", origin: "lost-connection" });
  });

  it("[FAIL-4f] waits for the answer to words that the next one hears again, and asks for none", () => {
    const rig = answering();
    const before = rig.replies.length;
    rig.send({ type: "reply-lost", turnId: "turn-1", isHeardAgain: true });
    expect(rig.replies).toHaveLength(before);
    rig.send({ type: "speech-started", sinceMs: 0 });
    rig.send({ type: "speech-stopped", stoppedMs: 100 });
    rig.send({ type: "response-started" });
    expect(rig.replies.at(-1)).toMatchObject({ kind: "answer", origin: "service" });
    const unheard = answering();
    unheard.send({ type: "reply-lost", turnId: "turn-1", isHeardAgain: true });
    unheard.wait(10_000);
    expect(unheard.replies.at(-1)).toMatchObject({ kind: "apology" }); // FAIL-1
  });

  it("[REC-3g] goes on with the greeting when it took the announcement with it", () => {
    const rig = new TurnRig({ ...noEndpointing, policy: realtimePolicy });
    rig.send({ type: "session-started", firstMove: "greet", announces: true });
    rig.send({ type: "reply-lost", turnId: "turn-1" });
    expect(rig.replies.at(-1)).toMatchObject({ kind: "greeting" });
  });

  it("[HS-4a] [REC-3g] goes on with the answer that is owed when it took the announcement with it", () => {
    const rig = new TurnRig({ ...noEndpointing, policy: realtimePolicy });
    rig.send({ type: "session-started", firstMove: "answer", announces: true });
    rig.send({ type: "reply-lost", turnId: "turn-1" });
    expect(rig.replies.at(-1)).toMatchObject({ kind: "answer", origin: "taken-over" });
  });

  it("[FAIL-5] ends a session that was saying goodbye", () => {
    const rig = listening();
    rig.send({ type: "farewell-requested", reason: "draining" });
    rig.send({ type: "reply-lost", turnId: "turn-1" });
    expect(rig.of("end-session")).toMatchObject([{ reason: "draining" }]);
  });
});

describe("a model that is gone", () => {
  const gone = { type: "model-lost", hearsWords: false, isReplyUnfinished: false } as const;
  const callerWaits = (rig: TurnRig): boolean | undefined => rig.of("give-up-model")[0]?.callerWaits;

  it("[FAIL-6c] has the successor say nothing to a caller who was only listening", () => {
    const rig = listening();
    rig.send(gone);
    expect(callerWaits(rig)).toBe(false);
  });

  it("[FAIL-6b] leaves a caller waiting who has just spoken, or is being answered", () => {
    const spoken = listening();
    spoken.speak(800);
    spoken.send(gone);
    const thinking = answering();
    thinking.send(gone);
    const speaking = answering();
    speaking.audible();
    speaking.send({ ...gone, isReplyUnfinished: true });
    expect([spoken, thinking, speaking].map(callerWaits)).toEqual([true, true, true]);
    expect(speaking.of("cancel-reply")).toMatchObject([{ turnId: "turn-1", reason: "passed_on" }]);
    speaking.send({ type: "whole-turn", text: "are you there" }); // the successor's
    expect(speaking.replies).toHaveLength(1);
  });

  it("[FAIL-6b] leaves a caller waiting to whom something was to be said after the announcement", () => {
    const rigs = (["greet", "answer", "listen"] as const).map((firstMove) => {
      const rig = new TurnRig({ ...noEndpointing, policy: realtimePolicy });
      rig.send({ type: "session-started", firstMove, announces: true });
      rig.audible();
      rig.send(gone);
      return rig;
    });
    expect(rigs.map(callerWaits)).toEqual([true, true, false]);
  });

  it("[FAIL-6d] leaves open words to be answered when they have been understood", () => {
    const rig = listening();
    rig.speak(800);
    rig.send({ ...gone, hearsWords: true });
    expect(callerWaits(rig)).toBe(false);
  });

  it("[FAIL-6c] does not repeat a reprompt", () => {
    const rig = listening();
    rig.wait(idleMs);
    rig.send(gone);
    expect(callerWaits(rig)).toBe(false);
  });

  it("[FAIL-6b] has the caller wait for more than an apology when even that is not heard", () => {
    const rig = answering();
    rig.wait(2 * deadAirMs);
    expect(callerWaits(rig)).toBe(true);
  });

  it("ends a session that was about to end, for its own reason", () => {
    const rig = answering();
    rig.send({ type: "end-requested", reason: "caller_done" });
    rig.send(gone);
    expect(rig.of("end-session")).toMatchObject([{ reason: "caller_done" }]);
    expect(rig.of("give-up-model")).toEqual([]);
  });
});

describe("an answer that was lost before anybody heard it", () => {
  it("[FAIL-4h] [TURN-11] is expected again after the words that are being said, whatever sounds come over them", () => {
    const rig = listening();
    rig.send({ type: "line-given", text: "A person will call you." });
    rig.send({ type: "answer-lost" });
    rig.speak(200);
    rig.final("");
    rig.audible();
    rig.send({ type: "reply-drained", turnId: "turn-1" });
    expect(rig.state).toMatchObject({ agent: { kind: "awaiting" }, owesAnswer: true });
    rig.send({ type: "response-started" });
    expect(rig.replies.at(-1)).toMatchObject({ kind: "answer", origin: "service" });
    expect(rig.state.owesAnswer).toBe(false);
  });

  it("[FAIL-1] is given up after the apology for it", () => {
    const rig = listening();
    rig.send({ type: "answer-lost" });
    rig.wait(deadAirMs);
    expect(rig.replies.at(-1)).toMatchObject({ kind: "apology" });
    expect(rig.state.owesAnswer).toBe(false);
  });

  it("[VM-2] is not expected by an answering machine", () => {
    const rig = listening();
    rig.send({ type: "voicemail-answered" });
    rig.send({ type: "answer-lost" });
    expect(rig.state).toMatchObject({ agent: { kind: "listening" }, owesAnswer: false });
  });
});
