import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TurnRig } from "./turn-rig.ts";
import type { TimelessEvent } from "./turn-rig.ts";
import { callTooLong } from "./turn-effects.ts";
import type { TurnEffect } from "./turn-effects.ts";
import type { TurnEvent } from "./turn-events.ts";
import type { TurnState } from "./turn-state.ts";
import { deadAirMs, defaultIdleMs as idleMs, maxReprompts } from "./turn-settings.ts";

describe("effects on the call", () => {
  function rigWith({ isHold }: { readonly isHold: boolean }): TurnRig {
    const rig = new TurnRig();
    rig.send({ type: "session-started", opening: "greet" });
    rig.audible();
    rig.drained();
    rig.send({ type: "effect-started", isHold });
    return rig;
  }
  const rigInTransfer = (): TurnRig => rigWith({ isHold: false });
  const nobodyTookIt = { type: "effect-ended", isHold: false, words: "regret" } as const;

  it("[EFFECT-3] takes ringing for patience and not for the caller's silence", () => {
    const rig = rigInTransfer();
    for (let times = 0; times < maxReprompts + 2; times++) {
      rig.wait(idleMs);
      expect(rig.replies.at(-1)).toMatchObject({ kind: "patience" });
      rig.audible();
      rig.drained();
    }
    rig.send({ type: "effect-ended", isHold: false, words: undefined });
    rig.wait(idleMs);
    expect(rig.replies.at(-1)).toMatchObject({ kind: "reprompt" });
  });

  it("[EFFECT-7] says nothing into the music, and that it is back when it is over", () => {
    const rig = rigWith({ isHold: true });
    rig.wait(30 * idleMs);
    expect(rig.replies).toHaveLength(1);
    rig.send({ type: "effect-ended", isHold: true, words: "resumption" });
    expect(rig.replies.at(-1)).toMatchObject({ kind: "resumption" });
    rig.audible();
    rig.drained();
    rig.wait(idleMs);
    expect(rig.replies.at(-1)).toMatchObject({ kind: "reprompt" });
  });

  it("[END-4] ends a call that lasts too long with words of its own, which nothing interrupts", () => {
    const rig = rigInTransfer();
    rig.send({ type: "farewell-requested", reason: callTooLong });
    expect(rig.replies.at(-1)).toMatchObject({ kind: "closing" });
    rig.audible();
    rig.send({ type: "whole-turn", text: "wait" });
    expect(rig.replies.at(-1)).toMatchObject({ kind: "closing" });
    rig.drained();
    expect(rig.of("end-session")).toMatchObject([{ reason: callTooLong }]);
  });

  it("[VM-2] falls silent for a machine, hears nothing of what it says, and leaves its message", () => {
    const rig = new TurnRig();
    rig.send({ type: "session-started", opening: "greet" });
    rig.audible();
    rig.send({ type: "machine-answered" });
    expect(rig.of("cancel-reply")).toHaveLength(1);
    rig.speak(3000, "please leave a message");
    rig.final("please leave a message after the tone");
    rig.wait(5 * idleMs);
    expect(rig.replies).toHaveLength(1);
    rig.send({ type: "last-words", text: "Call us back.", reason: "left" });
    expect(rig.replies.at(-1)).toMatchObject({ kind: "message", text: "Call us back." });
    rig.audible();
    rig.drained();
    expect(rig.of("end-session")).toMatchObject([{ reason: "left" }]);
  });

  it("[VM-2] begins the message again after a late beep, and [VM-3] ends without words where there are none", () => {
    const rig = new TurnRig();
    rig.send({ type: "session-started", opening: "listen" });
    rig.send({ type: "machine-answered" });
    rig.send({ type: "last-words", text: "Call us back.", reason: "left" });
    rig.audible();
    rig.send({ type: "last-words", text: "Call us back.", reason: "left" });
    expect(rig.replies.map(({ kind }) => kind)).toEqual(["message", "message"]);
    rig.send({ type: "last-words", text: "", reason: "voicemail" });
    expect(rig.of("end-session")).toMatchObject([{ reason: "voicemail" }]);
  });

  it("[EFFECT-4] says so when it could not be done", () => {
    const rig = rigInTransfer();
    rig.send(nobodyTookIt);
    expect(rig.replies.at(-1)).toMatchObject({ kind: "regret" });
  });

  it("[EFFECT-4] says so after the caller's own words and their answer", () => {
    const rig = rigInTransfer();
    rig.send({ type: "whole-turn", text: "are you still there" });
    rig.send(nobodyTookIt);
    expect(rig.replies.at(-1)).toMatchObject({ kind: "answer" });
    rig.audible();
    rig.drained();
    expect(rig.replies.at(-1)).toMatchObject({ kind: "regret" });
    rig.audible();
    rig.drained();
    expect(rig.replies.filter(({ kind }) => kind === "regret")).toHaveLength(1);
  });
});

describe("silence and failure", () => {
  it("[HS-5] greets first where there is a greeting, and waits where there is none", () => {
    const greeting = new TurnRig();
    greeting.send({ type: "session-started", opening: "greet" });
    expect(greeting.replies).toMatchObject([{ kind: "greeting" }]);
    const silent = new TurnRig();
    silent.send({ type: "session-started", opening: "listen" });
    expect(silent.replies).toEqual([]);
  });

  it("[TAKE-2] answers what another host has left unanswered", () => {
    const rig = new TurnRig();
    rig.send({ type: "session-started", opening: "go-on", hasGap: true });
    expect(rig.replies).toMatchObject([{ kind: "answer", goesOn: true }]);
  });

  it("[IDLE-1] [PLAY-4] reprompts 10 s after the reply was heard, not after it was made", () => {
    const rig = new TurnRig();
    rig.send({ type: "session-started", opening: "greet" });
    rig.audible();
    rig.wait(30_000);
    expect(rig.replies).toHaveLength(1);
    rig.drained();
    rig.wait(idleMs);
    expect(rig.replies.at(-1)).toMatchObject({ kind: "reprompt", atMs: 30_000 + idleMs });
  });

  it("[IDLE-1] counts anew after a noise", () => {
    const rig = new TurnRig();
    rig.send({ type: "session-started", opening: "listen" });
    rig.wait(8000);
    rig.speak(300);
    rig.final("");
    rig.wait(idleMs - 1);
    expect(rig.replies).toEqual([]);
    rig.wait(1);
    expect(rig.replies).toMatchObject([{ kind: "reprompt" }]);
  });

  it("[IDLE-1] counts anew with every key, so that long numbers can be typed", () => {
    const rig = new TurnRig();
    rig.send({ type: "session-started", opening: "listen" });
    for (let key = 0; key < 16; key++) {
      rig.wait(idleMs / 5);
      rig.send({ type: "key-pressed" });
    }
    rig.wait(idleMs - 1);
    expect(rig.replies).toEqual([]);
    rig.wait(1);
    expect(rig.replies).toMatchObject([{ kind: "reprompt" }]);
  });

  it("[TURN-13] asks the agent when it understood nothing of what was plainly speech, three times at the most", () => {
    const rig = new TurnRig();
    for (let round = 0; round < 5; round++) {
      rig.speak(900);
      rig.final("");
      rig.audible();
      rig.drained();
      rig.wait(1000);
    }
    expect(rig.replies.map(({ kind }) => kind)).toEqual(["clarification", "clarification", "clarification"]);
  });

  it("[TURN-13] lets a cough pass", () => {
    const rig = new TurnRig();
    rig.speak(300);
    rig.final("");
    rig.wait(1000);
    expect(rig.replies).toEqual([]);
  });

  it("[IDLE-2] says goodbye and ends after two reprompts", () => {
    const rig = new TurnRig();
    rig.send({ type: "session-started", opening: "greet" });
    for (let round = 0; round <= maxReprompts; round++) {
      rig.audible();
      rig.drained();
      rig.wait(idleMs);
    }
    expect(rig.replies.map(({ kind }) => kind)).toEqual(["greeting", "reprompt", "reprompt", "farewell"]);
    rig.audible();
    rig.drained();
    expect(rig.of("end-session")).toMatchObject([{ reason: "caller_silent" }]);
  });

  it("[FAIL-1] apologises when nothing is audible 10 s after the turn", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "hello" });
    rig.wait(deadAirMs);
    expect(rig.of("cancel-reply")).toMatchObject([{ turnId: "turn-1", reason: "dead_air" }]);
    expect(rig.replies.at(-1)).toMatchObject({ kind: "apology", atMs: deadAirMs });
  });

  it("[FAIL-2] apologises for a failed model and says goodbye after the third failure in a row", () => {
    const rig = new TurnRig();
    for (let round = 0; round < 3; round++) {
      rig.send({ type: "whole-turn", text: "hello" });
      rig.send({ type: "reply-failed", turnId: `turn-${rig.state.turnCount}`, failure: "model" });
      rig.audible();
      rig.drained();
    }
    expect(rig.replies.map(({ kind }) => kind)).toEqual([
      "answer",
      "apology",
      "answer",
      "apology",
      "answer",
      "farewell",
    ]);
    expect(rig.of("end-session")).toMatchObject([{ reason: "too_many_failures" }]);
  });

  it("[FAIL-2] forgets failures once an answer was heard", () => {
    const rig = new TurnRig();
    for (let round = 0; round < 5; round++) {
      rig.send({ type: "whole-turn", text: "hello" });
      rig.send({ type: "reply-failed", turnId: `turn-${rig.state.turnCount}`, failure: "model" });
      rig.audible();
      rig.drained();
      rig.send({ type: "whole-turn", text: "hello again" });
      rig.audible();
      rig.drained();
    }
    expect(rig.replies.some(({ kind }) => kind === "farewell")).toBe(false);
  });

  it("[FAIL-5] ends when even the apology cannot be spoken", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "hello" });
    rig.send({ type: "reply-failed", turnId: "turn-1", failure: "voice" });
    rig.send({ type: "reply-failed", turnId: "turn-2", failure: "voice" });
    expect(rig.of("end-session")).toMatchObject([{ reason: "voice_failed" }]);
  });

  it("[FAIL-5] ends when nothing it says becomes audible, instead of saying goodbye for ever", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "hello" });
    rig.wait(2 * deadAirMs);
    expect(rig.replies.map(({ kind }) => kind)).toEqual(["answer", "apology"]);
    expect(rig.of("end-session")).toMatchObject([{ reason: "voice_failed", atMs: 2 * deadAirMs }]);
    const farewell = new TurnRig();
    farewell.send({ type: "farewell-requested", reason: "draining" });
    farewell.wait(deadAirMs);
    expect(farewell.of("end-session")).toHaveLength(1);
  });

  it("[CTRL-1] waits for nobody while the client has paused, and counts anew afterwards", () => {
    const rig = new TurnRig();
    rig.send({ type: "session-started", opening: "listen" });
    rig.wait(1000);
    rig.send({ type: "paused", isPaused: true });
    rig.wait(10 * idleMs);
    expect(rig.replies).toEqual([]);
    rig.send({ type: "paused", isPaused: false });
    rig.wait(idleMs - 1);
    expect(rig.replies).toEqual([]);
    rig.wait(1);
    expect(rig.replies).toMatchObject([{ kind: "reprompt" }]);
  });

  it("[CTRL-1] ends the turn that is open when the client pauses, and does not take the pause for dead air", () => {
    const rig = new TurnRig();
    rig.wait(120);
    rig.send({ type: "speech-started", sinceMs: 0 });
    rig.wait(880);
    rig.send({ type: "paused", isPaused: true });
    rig.final("what is my balance");
    rig.wait(500);
    expect(rig.replies).toMatchObject([{ text: "what is my balance", anchorMs: 1000 }]);
    rig.wait(5 * deadAirMs);
    expect(rig.replies).toHaveLength(1);
  });

  it("goes on after an interruption of the words after which a tool wanted to hang up", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "goodbye" });
    rig.send({ type: "end-requested", reason: "caller_done" });
    rig.audible();
    rig.speak(600, "wait one more thing");
    rig.final("wait one more thing");
    rig.wait(1000);
    rig.audible();
    rig.drained();
    expect(rig.of("end-session")).toEqual([]);
  });

  it("ends the session after the reply in which a tool asked for it", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "goodbye" });
    rig.send({ type: "end-requested", reason: "caller_done" });
    rig.audible();
    expect(rig.of("end-session")).toEqual([]);
    rig.drained();
    expect(rig.of("end-session")).toMatchObject([{ reason: "caller_done" }]);
  });

  it("ignores a reply that is not the running one", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "one" });
    rig.send({ type: "whole-turn", text: "two" });
    rig.send({ type: "reply-audible", turnId: "turn-1" });
    rig.send({ type: "reply-failed", turnId: "turn-1", failure: "model" });
    expect(rig.state.agent).toMatchObject({ kind: "thinking", reply: { turnId: "turn-2" } });
  });
});

/** What may happen in any order; the rig turns it into events with times that make sense. */
const happening = fc.oneof(
  fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 4000 }) }),
  fc.record({
    do: fc.constant("speak" as const),
    ms: fc.integer({ min: 130, max: 2500 }),
    words: fc.constantFrom("", "okay", "stop", "i lost my card", "four one"),
  }),
  fc.record({
    do: fc.constant("final" as const),
    text: fc.constantFrom("", "okay", "yes", "i lost my card", "my number is four"),
  }),
  fc.record({ do: fc.constant("type" as const), text: fc.constantFrom("hello", "stop") }),
  fc.record({ do: fc.constantFrom("audible" as const, "drained" as const, "fail" as const, "finished" as const) }),
);

describe("whatever happens in whatever order", () => {
  it("keeps one reply at a time, loses no final and never leaves the caller in silence", () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), fc.boolean(), (happenings, bargeInEnabled) => {
        const rig = new TurnRig({ bargeInEnabled });
        const finals: string[] = [];
        rig.onStep = expectOneReplyAtATime;
        rig.send({ type: "session-started", opening: "greet" });
        for (const step of happenings) {
          if (rig.state.agent.kind === "ended") break;
          if (step.do === "wait") rig.wait(step.ms);
          else if (step.do === "speak") rig.speak(step.ms, step.words === "" ? undefined : step.words);
          else if (step.do === "type") rig.send({ type: "whole-turn", text: step.text });
          else if (step.do === "final") {
            if (rig.state.lateFinal === undefined) finals.push(step.text);
            rig.final(step.text);
          } else rig.send(replyEvent(rig, step.do));
        }
        // From here the world behaves: replies are heard, the caller is silent.
        for (let round = 0; round < 12 && rig.state.agent.kind !== "ended"; round++) {
          rig.wait(deadAirMs + idleMs);
          rig.audible();
          rig.drained();
        }
        expect(rig.state.agent.kind).toBe("ended");
        const answered = rig.replies.map(({ text }) => text).join(" ");
        for (const text of finals.filter((final) => final.includes("card") || final.includes("number")))
          expect(answered + rig.state.user.finals.join(" ")).toContain(text);
      }),
      { numRuns: 500 },
    );
  });
});

function replyEvent(rig: TurnRig, what: "audible" | "drained" | "fail" | "finished"): TimelessEvent {
  const turnId = `turn-${rig.state.turnCount}`;
  switch (what) {
    case "audible":
      return { type: "reply-audible", turnId };
    case "drained":
      return { type: "reply-drained", turnId };
    case "fail":
      return { type: "reply-failed", turnId, failure: "model" };
    case "finished":
      return { type: "caller-finished" };
  }
}

/** A reply leaves the floor only by being heard to its end or by being cancelled. */
function expectOneReplyAtATime(
  before: TurnState,
  event: TurnEvent,
  after: TurnState,
  effects: readonly TurnEffect[],
): void {
  const turnId = replyOf(before);
  if (turnId === undefined || turnId === replyOf(after)) return;
  const wasHeard = event.type === "reply-drained" && event.turnId === turnId;
  const wasCancelled = effects.some((effect) => effect.type === "cancel-reply" && effect.turnId === turnId);
  expect(wasHeard || wasCancelled).toBe(true);
  const cancelAt = effects.findIndex((effect) => effect.type === "cancel-reply");
  const beginAt = effects.findIndex((effect) => effect.type === "begin-reply");
  if (wasCancelled && beginAt >= 0) expect(cancelAt).toBeLessThan(beginAt);
}

function replyOf({ agent }: TurnState): string | undefined {
  return "reply" in agent ? agent.reply.turnId : undefined;
}
