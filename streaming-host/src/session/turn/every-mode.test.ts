/** The rules that hold in every mode, each once: whoever ends the turns, the machine decides the same. */
import { describe, expect, it } from "vitest";
import { deadAirMs, TurnRig } from "../../testing/turn-rig.ts";
import { callTooLong } from "./turn-effects.ts";
import { cascadePolicy, realtimePolicy, transcriptionPolicy } from "./turn-policy.ts";
import { defaultIdleMs as idleMs, maxReprompts, noEndpointing } from "./turn-settings.ts";
import type { TurnSettings } from "./turn-settings.ts";

interface Mode {
  readonly name: string;
  readonly settings: Partial<TurnSettings>;
  /** The caller says this, and the agent begins to answer it. */
  readonly isAsked: (rig: TurnRig, text: string) => void;
  /** What follows when nothing that the agent says can be heard. */
  readonly givesUpWith: "end-session" | "give-up-model";
  /** Why, where the session ends. */
  readonly reasons?: { readonly isUnheard: string; readonly hasFailed: string };
  readonly afterThreeFailures: readonly string[];
}

const modes: readonly Mode[] = [
  {
    name: "MEDIA",
    settings: { policy: cascadePolicy },
    isAsked(rig, text) {
      rig.speak(800);
      rig.final(text);
      rig.wait(1500);
    },
    givesUpWith: "end-session",
    reasons: { isUnheard: "voice_failed", hasFailed: "too_many_failures" },
    afterThreeFailures: ["answer", "apology", "answer", "apology", "answer", "farewell"],
  },
  {
    name: "VOICE_LIVE",
    settings: { ...noEndpointing, policy: realtimePolicy },
    isAsked(rig, text) {
      rig.speak(800);
      rig.final(text);
      rig.send({ type: "response-started" });
    },
    givesUpWith: "give-up-model",
    afterThreeFailures: ["answer", "apology", "answer", "apology", "answer"],
  },
];

describe.each(modes)("in $name", ({ settings, isAsked, givesUpWith, reasons, afterThreeFailures }) => {
  function started(firstMove: "greet" | "listen" = "listen", more: Partial<TurnSettings> = {}): TurnRig {
    const rig = new TurnRig({ ...settings, ...more });
    rig.send({ type: "session-started", firstMove });
    return rig;
  }
  function heard(rig: TurnRig): TurnRig {
    rig.audible();
    rig.drained();
    return rig;
  }
  const kinds = (rig: TurnRig): string[] => rig.replies.map(({ kind }) => kind);
  const lastKind = (rig: TurnRig): string | undefined => rig.replies.at(-1)?.kind;

  describe("a session that begins", () => {
    it("[HS-5] greets first where there is a greeting, and waits where there is none", () => {
      expect(kinds(started("greet"))).toEqual(["greeting"]);
      expect(kinds(started("listen"))).toEqual([]);
    });

    it("[TAKE-2a] answers what another host has left unanswered", () => {
      const rig = new TurnRig(settings);
      rig.send({ type: "session-started", firstMove: "answer" });
      expect(rig.replies).toMatchObject([{ kind: "answer", origin: "taken-over" }]);
    });

    it("[REC-3a] announces what has to be announced, whatever the caller does, and greets then", () => {
      const rig = new TurnRig(settings);
      rig.send({ type: "session-started", firstMove: "greet", announces: true });
      rig.audible();
      rig.speak(1500);
      expect(rig.of("cancel-reply")).toEqual([]);
      rig.drained();
      expect(kinds(rig)).toEqual(["announcement", "greeting"]);
    });

    it("[REC-3d] greets when the announcement fails, and asks nobody to say again what they have not said", () => {
      const rig = new TurnRig(settings);
      rig.send({ type: "session-started", firstMove: "greet", announces: true });
      rig.send({ type: "reply-failed", turnId: "turn-1", failure: "voice" });
      expect(kinds(rig)).toEqual(["announcement", "greeting"]);
      rig.send({ type: "reply-failed", turnId: "turn-2", failure: "voice" });
      expect(kinds(rig).at(-1)).toBe("apology");
    });

    it("[HS-4a] [REC-3d] gives the answer that is owed after the announcement, also where that fails", () => {
      const heard = new TurnRig(settings);
      heard.send({ type: "session-started", firstMove: "answer", announces: true });
      heard.audible();
      heard.drained();
      expect(heard.replies.slice(1)).toMatchObject([{ kind: "answer", origin: "taken-over" }]);
      heard.audible();
      heard.drained();
      heard.wait(1000);
      expect(kinds(heard)).toEqual(["announcement", "answer"]);
      const failed = new TurnRig(settings);
      failed.send({ type: "session-started", firstMove: "answer", announces: true });
      failed.send({ type: "reply-failed", turnId: "turn-1", failure: "voice" });
      expect(failed.replies.slice(1)).toMatchObject([{ kind: "answer", origin: "taken-over" }]);
    });

    it("[REC-3h] answers what was typed into the announcement together with what is owed", () => {
      const rig = new TurnRig(settings);
      rig.send({ type: "session-started", firstMove: "answer", announces: true });
      rig.audible();
      rig.send({ type: "whole-turn", text: "and on sundays" });
      rig.drained();
      rig.wait(1000);
      expect(rig.replies.slice(1)).toMatchObject([{ kind: "answer", text: "and on sundays" }]);
    });

    it("[TURN-11] answers what was typed into the announcement, when that was heard", () => {
      const rig = new TurnRig(settings);
      rig.send({ type: "session-started", firstMove: "listen", announces: true });
      rig.audible();
      rig.send({ type: "whole-turn", text: "hello" });
      expect(kinds(rig)).toEqual(["announcement"]);
      rig.drained();
      rig.wait(1000);
      expect(rig.replies.at(-1)).toMatchObject({ kind: "answer", text: "hello" });
    });
  });

  describe("a caller who says nothing", () => {
    it("[IDLE-1] [PLAY-4] is reprompted 10 s after the reply was heard, not after it was made", () => {
      const rig = started("greet");
      rig.audible();
      rig.wait(30_000);
      expect(kinds(rig)).toEqual(["greeting"]);
      rig.drained();
      rig.wait(idleMs);
      expect(rig.replies.at(-1)).toMatchObject({ kind: "reprompt", atMs: 30_000 + idleMs });
    });

    it("[IDLE-1] is given as long again after every key, so that long numbers can be typed", () => {
      const rig = started();
      for (let key = 0; key < 16; key++) {
        rig.wait(idleMs / 5);
        rig.send({ type: "key-pressed" });
      }
      rig.wait(idleMs - 1);
      expect(rig.replies).toEqual([]);
      rig.wait(1);
      expect(kinds(rig)).toEqual(["reprompt"]);
    });

    it("[IDLE-1] is given as long again after a noise", () => {
      const rig = started();
      rig.wait(8000);
      rig.speak(300);
      rig.final("");
      rig.wait(idleMs - 1);
      expect(rig.replies).toEqual([]);
      rig.wait(1);
      expect(kinds(rig)).toEqual(["reprompt"]);
    });

    it("[IDLE-2] hears goodbye after two reprompts, and the session ends", () => {
      const rig = started("greet");
      for (let round = 0; round <= maxReprompts; round++) {
        heard(rig);
        rig.wait(idleMs);
      }
      expect(kinds(rig)).toEqual(["greeting", "reprompt", "reprompt", "farewell"]);
      heard(rig);
      expect(rig.of("end-session")).toMatchObject([{ reason: "caller_silent" }]);
    });

    it("[IDLE-2] is reprompted twice again after having said something", () => {
      const rig = started();
      for (let round = 0; round < maxReprompts; round++) {
        rig.wait(idleMs);
        heard(rig);
      }
      isAsked(rig, "what is my balance");
      for (let round = 0; round < maxReprompts; round++) {
        heard(rig);
        rig.wait(idleMs);
        expect(lastKind(rig)).toBe("reprompt");
      }
    });

    it("[CTRL-1] is not waited for while the client has paused, and is given as long again afterwards", () => {
      const rig = started();
      rig.wait(1000);
      rig.send({ type: "paused", isPaused: true });
      rig.wait(10 * idleMs);
      expect(rig.replies).toEqual([]);
      rig.send({ type: "paused", isPaused: false });
      rig.wait(idleMs - 1);
      expect(rig.replies).toEqual([]);
      rig.wait(1);
      expect(kinds(rig)).toEqual(["reprompt"]);
    });

    it("[CTRL-1] does not hear an apology when the client pauses an answer that is on its way", () => {
      const rig = started();
      rig.send({ type: "whole-turn", text: "hello" });
      rig.send({ type: "paused", isPaused: true });
      rig.wait(5 * deadAirMs);
      expect(kinds(rig)).toEqual(["answer"]);
    });
  });

  describe("an effect on the call", () => {
    function withEffect({ isHold }: { readonly isHold: boolean }): TurnRig {
      const rig = heard(started("greet"));
      rig.send({ type: "effect-started", isHold });
      return rig;
    }
    const nobodyTookIt = { type: "effect-ended", isHold: false, words: "regret" } as const;

    it("[EFFECT-3] takes ringing for patience and not for the caller's silence", () => {
      const rig = withEffect({ isHold: false });
      for (let times = 0; times < maxReprompts + 2; times++) {
        rig.wait(idleMs);
        expect(lastKind(rig)).toBe("patience");
        heard(rig);
      }
      rig.wait(1000);
      rig.send({ type: "effect-ended", isHold: false, words: undefined });
      rig.wait(idleMs - 1);
      expect(lastKind(rig)).toBe("patience");
      rig.wait(1);
      expect(lastKind(rig)).toBe("reprompt");
    });

    it("[EFFECT-3] [EFFECT-7g] waits for the last of several", () => {
      const ringing = withEffect({ isHold: false });
      const music = withEffect({ isHold: true });
      for (const rig of [ringing, music]) rig.send({ type: "effect-started", isHold: false });
      ringing.send({ type: "effect-ended", isHold: false, words: undefined });
      for (const rig of [ringing, music]) rig.wait(idleMs);
      expect(lastKind(ringing)).toBe("patience");
      expect(lastKind(music)).toBe("greeting");
    });

    it("[EFFECT-11d] says nothing to a caller who hears music while somebody else is talked to, and is patient afterwards", () => {
      const rig = withEffect({ isHold: false });
      rig.send({ type: "hold-changed", onHold: true });
      rig.wait(30 * idleMs);
      expect(lastKind(rig)).toBe("greeting");
      rig.send({ type: "hold-changed", onHold: false });
      rig.wait(idleMs);
      expect(lastKind(rig)).toBe("patience");
    });

    it("[EFFECT-7f] [EFFECT-11d] answers nothing into the music, keeps what was said before it, and stops what is being said", () => {
      const held = withEffect({ isHold: true });
      const warm = withEffect({ isHold: false });
      warm.send({ type: "hold-changed", onHold: true });
      for (const rig of [held, warm]) {
        const { length } = rig.replies;
        rig.speak(800);
        rig.final("okay");
        rig.send({ type: "response-started" });
        rig.wait(3 * idleMs);
        expect(rig.replies).toHaveLength(length);
        expect(rig.of("keep-words")).toMatchObject([{ text: "okay" }]);
      }
      const answered = withEffect({ isHold: false });
      answered.send({ type: "whole-turn", text: "thank you" });
      answered.audible();
      answered.send({ type: "hold-changed", onHold: true });
      expect(answered.of("cancel-reply").at(-1)).toMatchObject({ reason: "superseded" });
    });

    it("[EFFECT-7b] [EFFECT-7f] says nothing into the music, and that it is back when it is over", () => {
      const rig = withEffect({ isHold: true });
      rig.wait(30 * idleMs);
      expect(rig.replies).toHaveLength(1);
      rig.send({ type: "effect-ended", isHold: true, words: "resumption" });
      expect(lastKind(rig)).toBe("resumption");
      heard(rig);
      rig.wait(idleMs);
      expect(lastKind(rig)).toBe("reprompt");
    });

    it("[EFFECT-4] is regretted when it could not be done", () => {
      const rig = withEffect({ isHold: false });
      rig.send(nobodyTookIt);
      expect(lastKind(rig)).toBe("regret");
    });

    it("[EFFECT-4] is regretted once, after the caller's own words and their answer", () => {
      const rig = withEffect({ isHold: false });
      isAsked(rig, "are you still there");
      rig.send(nobodyTookIt);
      expect(lastKind(rig)).toBe("answer");
      heard(heard(rig));
      expect(kinds(rig).filter((kind) => kind === "regret")).toHaveLength(1);
    });

    it("[EFFECT-4] is not regretted over the caller, nor before their words are answered, nor forgotten meanwhile", () => {
      const rig = withEffect({ isHold: false });
      rig.send({ type: "effect-started", isHold: false });
      rig.send({ type: "speech-started", sinceMs: rig.clock.now() });
      rig.send(nobodyTookIt);
      rig.send({ type: "effect-ended", isHold: false, words: undefined });
      expect(lastKind(rig)).toBe("greeting");
      isAsked(rig, "are you still there");
      expect(lastKind(rig)).toBe("answer");
      heard(rig);
      expect(lastKind(rig)).toBe("regret");
    });
  });

  describe("an agent that is not heard", () => {
    it("[FAIL-1] apologises when nothing is audible 10 s after the turn, and says so in a message", () => {
      const rig = started();
      isAsked(rig, "hello there");
      const begunMs = rig.replies.at(-1)?.atMs ?? 0;
      rig.wait(deadAirMs);
      expect(rig.of("cancel-reply")).toMatchObject([{ turnId: "turn-1", reason: "dead_air" }]);
      expect(rig.of("report-silence")).toHaveLength(1);
      expect(rig.replies.at(-1)).toMatchObject({ kind: "apology", atMs: begunMs + deadAirMs });
    });

    it("[FAIL-3] apologises for a reply whose audio stopped coming, and says so in a message", () => {
      const rig = started();
      isAsked(rig, "hello there");
      rig.audible();
      rig.send({ type: "reply-failed", turnId: "turn-1", failure: "stalled" });
      expect(rig.of("report-silence")).toHaveLength(1);
      expect(lastKind(rig)).toBe("apology");
    });

    it("[FAIL-2a] apologises for a failed model, and gives up after the third failure in a row", () => {
      const rig = started();
      for (let round = 0; round < 3; round++) {
        isAsked(rig, "hello there");
        rig.send({ type: "reply-failed", turnId: `turn-${rig.state.turnCount}`, failure: "model" });
        heard(rig);
      }
      expect(kinds(rig)).toEqual(afterThreeFailures);
      expect(rig.of(givesUpWith)).toHaveLength(1);
      if (reasons !== undefined) expect(rig.of("end-session")).toMatchObject([{ reason: reasons.hasFailed }]);
      expect(rig.of("report-silence")).toEqual([]);
    });

    it("[FAIL-2a] forgets failures once an answer was heard", () => {
      const rig = started();
      for (let round = 0; round < 5; round++) {
        isAsked(rig, "hello there");
        rig.send({ type: "reply-failed", turnId: `turn-${rig.state.turnCount}`, failure: "model" });
        heard(rig);
        isAsked(rig, "hello again");
        heard(rig);
      }
      expect(rig.of(givesUpWith)).toEqual([]);
      expect(lastKind(rig)).toBe("answer");
    });

    it("[FAIL-5] gives up when even the apology fails", () => {
      const rig = started();
      isAsked(rig, "hello there");
      rig.send({ type: "reply-failed", turnId: "turn-1", failure: "voice" });
      rig.send({ type: "reply-failed", turnId: "turn-2", failure: "voice" });
      expect(rig.of(givesUpWith)).toHaveLength(1);
      if (reasons !== undefined) expect(rig.of("end-session")).toMatchObject([{ reason: reasons.isUnheard }]);
    });

    it("[FAIL-5] gives up when the apology does not become audible either", () => {
      const rig = started();
      rig.send({ type: "whole-turn", text: "hello" });
      rig.wait(2 * deadAirMs);
      expect(kinds(rig)).toEqual(["answer", "apology"]);
      expect(rig.of(givesUpWith)).toMatchObject([{ atMs: 2 * deadAirMs }]);
      rig.wait(10 * idleMs);
      expect(kinds(rig)).toEqual(["answer", "apology"]);
    });

    it("[FAIL-5] ends, instead of saying goodbye for ever", () => {
      const rig = started();
      rig.send({ type: "farewell-requested", reason: "draining" });
      rig.wait(deadAirMs);
      expect(kinds(rig)).toEqual(["farewell"]);
      expect(rig.of("end-session")).toHaveLength(1);
    });

    it("ignores what is told of a reply that is not the running one", () => {
      const rig = started();
      rig.send({ type: "whole-turn", text: "one" });
      rig.send({ type: "whole-turn", text: "two" });
      rig.send({ type: "reply-audible", turnId: "turn-1" });
      rig.send({ type: "reply-failed", turnId: "turn-1", failure: "model" });
      rig.send({ type: "reply-lost", turnId: "turn-1" });
      expect(rig.state.agent).toMatchObject({ kind: "thinking", reply: { turnId: "turn-2" } });
    });
  });

  describe("an interruption", () => {
    it("[TURN-8a] by typing ends the reply at once and is answered", () => {
      const rig = started("greet");
      rig.audible();
      rig.send({ type: "whole-turn", text: "my balance" });
      expect(rig.of("cancel-reply")).toMatchObject([{ turnId: "turn-1", reason: "barge_in" }]);
      expect(rig.replies.at(-1)).toMatchObject({ kind: "answer", text: "my balance" });
    });

    it("[BARGE-2c] by speech ends the reply", () => {
      const rig = started("greet");
      rig.audible();
      rig.speak(1500, "actually i lost my card");
      expect(rig.of("cancel-reply")).toMatchObject([{ turnId: "turn-1", reason: "barge_in" }]);
    });

    it("[BARGE-7] is not possible where it is switched off", () => {
      const rig = started("greet", { bargeInEnabled: false });
      rig.audible();
      rig.speak(1500, "actually i lost my card");
      expect(rig.of("cancel-reply")).toEqual([]);
    });

    it("[BARGE-9] is not possible while the agent says goodbye, by speech nor by typing", () => {
      const rig = started();
      rig.send({ type: "farewell-requested", reason: "draining" });
      rig.audible();
      rig.speak(1500, "wait one more thing");
      rig.send({ type: "whole-turn", text: "wait" });
      expect(rig.of("cancel-reply")).toEqual([]);
      rig.drained();
      expect(kinds(rig)).toEqual(["farewell"]);
      expect(rig.of("end-session")).toMatchObject([{ reason: "draining" }]);
    });

    it("of the words after which a tool wanted to hang up lets the conversation go on", () => {
      const rig = started();
      isAsked(rig, "goodbye then");
      rig.send({ type: "end-requested", reason: "caller_done" });
      rig.audible();
      isAsked(rig, "wait one more thing");
      heard(rig);
      expect(rig.of("end-session")).toEqual([]);
    });
  });

  describe("an end", () => {
    it("[END-3] that a tool asked for comes when its reply was heard", () => {
      const rig = started();
      isAsked(rig, "goodbye then");
      rig.send({ type: "end-requested", reason: "caller_done" });
      rig.audible();
      expect(rig.of("end-session")).toEqual([]);
      rig.drained();
      expect(rig.of("end-session")).toMatchObject([{ reason: "caller_done" }]);
    });

    it("[END-4] of a call that lasts too long has words of its own", () => {
      const rig = started();
      rig.send({ type: "farewell-requested", reason: callTooLong });
      expect(kinds(rig)).toEqual(["closing"]);
      heard(rig);
      expect(rig.of("end-session")).toMatchObject([{ reason: callTooLong }]);
    });
  });

  describe("an answering machine", () => {
    it("[VM-2] silences the agent, is not answered, and gets its message", () => {
      const rig = started("greet");
      rig.audible();
      rig.send({ type: "voicemail-answered" });
      expect(rig.of("cancel-reply")).toHaveLength(1);
      isAsked(rig, "please leave a message after the tone");
      rig.wait(5 * idleMs);
      expect(kinds(rig)).toEqual(["greeting"]);
      expect(rig.of("keep-words")).toEqual([]);
      rig.send({ type: "last-words", text: "Call us back.", reason: "left" });
      expect(rig.replies.at(-1)).toMatchObject({ kind: "message", text: "Call us back." });
      rig.audible();
      rig.speak(1500, "the person you have called");
      rig.drained();
      expect(rig.of("end-session")).toMatchObject([{ reason: "left" }]);
    });

    it("[VM-2] that beeps late gets its message again from the beginning, and [VM-3] none where there is none", () => {
      const rig = started();
      rig.send({ type: "voicemail-answered" });
      rig.send({ type: "last-words", text: "Call us back.", reason: "left" });
      rig.audible();
      rig.send({ type: "last-words", text: "Call us back.", reason: "left" });
      expect(kinds(rig)).toEqual(["message", "message"]);
      rig.send({ type: "last-words", text: "", reason: "voicemail" });
      expect(rig.of("end-session")).toMatchObject([{ reason: "voicemail" }]);
    });
  });
});

describe("in TRANSCRIPTION", () => {
  function written(): TurnRig {
    const rig = new TurnRig({ ...noEndpointing, policy: transcriptionPolicy, idleMs: Number.POSITIVE_INFINITY });
    rig.send({ type: "session-started", firstMove: "listen" });
    return rig;
  }

  it("[HIST-1] keeps every final as a turn of its own, and answers none", () => {
    const rig = written();
    rig.final("i lost my card");
    rig.final("");
    rig.send({ type: "whole-turn", text: "4412" });
    expect(rig.of("keep-words")).toMatchObject([
      { turnId: "turn-1", text: "i lost my card" },
      { turnId: "turn-2", text: "4412" },
    ]);
    expect(rig.replies).toEqual([]);
  });

  it("[TURN-12a] asks the recogniser for its final when the caller has finished", () => {
    const rig = written();
    rig.send({ type: "caller-finished" });
    expect(rig.of("flush-recogniser")).toHaveLength(1);
  });

  it("waits for nobody", () => {
    const rig = written();
    rig.send({ type: "key-pressed" });
    rig.send({ type: "paused", isPaused: true });
    rig.send({ type: "paused", isPaused: false });
    rig.wait(100 * idleMs);
    expect(rig.of("set-timer")).toEqual([]);
  });

  it.each([
    { type: "farewell-requested", reason: "draining" },
    { type: "last-words", text: "Call us back.", reason: "draining" },
  ] as const)("ends without a word when it is told $type", (event) => {
    const rig = written();
    rig.send(event);
    expect(rig.replies).toEqual([]);
    expect(rig.of("end-session")).toMatchObject([{ reason: "draining" }]);
  });
});
