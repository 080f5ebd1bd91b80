import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deadAirMs, TurnRig } from "../../testing/turn-rig.ts";
import type { TurnEffect } from "./turn-effects.ts";
import type { TimelessTurnEvent, TurnEvent } from "./turn-events.ts";
import type { TurnState } from "./turn-state.ts";
import { defaultIdleMs as idleMs } from "./turn-settings.ts";

function afterGuess(kind: "yes-or-no" | "anything", guess: string): TurnRig {
  const rig = new TurnRig({ expected: { kind } });
  rig.speak(500);
  rig.send({ type: "final", text: "", guess, endedMs: rig.clock.now(), replyRemainingMs: Number.POSITIVE_INFINITY });
  rig.wait(1500);
  return rig;
}

describe("words that nobody knows", () => {
  const unknown = { type: "words-unknown", cause: { code: "upstream_unavailable" } } as const;

  it("[SPEECH-8d] are asked for again, and after the third time in a row the agent says goodbye", () => {
    const rig = new TurnRig();
    for (let round = 0; round < 3; round++) {
      rig.speak(900);
      rig.wait(1_800);
      rig.send(unknown);
      rig.audible();
      rig.drained();
    }
    expect(rig.replies.map(({ kind }) => kind)).toEqual(["apology", "apology", "farewell"]);
    expect(rig.of("end-session")).toMatchObject([{ reason: "too_many_failures" }]);
  });

  it("[SPEECH-8e] are not apologised for after a cough, into the caller's or the agent's words, nor in place of an answer", () => {
    const coughing = new TurnRig();
    coughing.speak(200);
    coughing.send(unknown);
    expect(coughing.replies).toEqual([]);
    const speaking = new TurnRig();
    speaking.send({ type: "speech-started", sinceMs: 0 });
    speaking.send(unknown);
    expect(speaking.replies).toEqual([]);
    const understood = new TurnRig();
    understood.speak(900, "what is my balance");
    understood.send(unknown);
    understood.wait(2_000);
    expect(understood.replies).toMatchObject([{ kind: "answer", text: "what is my balance" }]);
    understood.send(unknown);
    expect(understood.replies).toHaveLength(1);
  });
});

describe("turns that we end", () => {
  it("[TURN-13a] asks the agent when it understood nothing of what was plainly speech, three times at the most", () => {
    const rig = new TurnRig();
    for (let round = 0; round < 5; round++) {
      rig.speak(900);
      rig.final("");
      rig.wait(1500);
      rig.audible();
      rig.drained();
      rig.wait(1000);
    }
    const thrice = ["clarification", "clarification", "clarification"];
    expect(rig.replies.map(({ kind }) => kind)).toEqual(thrice);
    rig.send({ type: "whole-turn", text: "what is my balance" });
    for (let round = 0; round < 5; round++) {
      rig.audible();
      rig.drained();
      rig.speak(900);
      rig.final("");
      rig.wait(1500);
    }
    expect(rig.replies.map(({ kind }) => kind)).toEqual([...thrice, "answer", ...thrice]);
  });

  it("[TURN-13f] does not ask into the pause of somebody who is in the middle of a sentence", () => {
    const rig = new TurnRig();
    rig.speak(900, "i have a question");
    rig.wait(100);
    rig.final("");
    rig.wait(600);
    rig.speak(900, "i have a question about my card");
    rig.final("i have a question about my card");
    rig.wait(2000);
    expect(rig.replies).toMatchObject([{ kind: "answer", text: "i have a question about my card" }]);
  });

  it("[TURN-13b] asks again within 1.5 s when a short sound after a question was not understood", () => {
    const rig = new TurnRig({ expected: { kind: "yes-or-no" } });
    rig.speak(300);
    rig.final("");
    rig.wait(5000);
    expect(rig.replies).toMatchObject([{ kind: "clarification" }]);
    expect((rig.replies[0]?.atMs ?? 0) - 300).toBeLessThanOrEqual(1500);
  });

  it("[TURN-13c] takes a yes or no that the recogniser heard and then rejected, where it is an answer", () => {
    const rig = new TurnRig({ expected: { kind: "yes-or-no" } });
    rig.speak(300, "no");
    rig.final("");
    rig.wait(1000);
    expect(rig.replies).toMatchObject([{ kind: "answer", text: "no" }]);
  });

  it("[TURN-13b] asks again about the shortest sound that the detector notices after a question", () => {
    const rig = new TurnRig({ expected: { kind: "anything" } });
    rig.speak(140);
    rig.final("");
    rig.wait(1400);
    expect(rig.replies).toMatchObject([{ kind: "clarification" }]);
  });

  it("[TURN-13c] takes a yes that the recogniser only guessed at, where the agent has asked for it", () => {
    expect(afterGuess("yes-or-no", "yes").replies).toMatchObject([{ kind: "answer", text: "yes" }]);
    expect(afterGuess("anything", "yes").replies).toMatchObject([{ kind: "clarification", text: "yes" }]);
    expect(afterGuess("yes-or-no", "block my card").replies).toMatchObject([{ kind: "clarification" }]);
  });

  it("[TURN-13e] publishes the yes that it takes as the caller's words, because no final has them", () => {
    const taken = afterGuess("yes-or-no", "yes").of("publish-words");
    expect(taken).toMatchObject([{ text: "yes", startedAtMs: 0, endedAtMs: 500 }]);
    expect(afterGuess("anything", "yes").of("publish-words")).toEqual([]);
  });

  it("[TURN-13c] asks the recogniser for its guess at a short answer as soon as a yes would be answered", () => {
    const flushedMs = (kind: "yes-or-no" | "anything", spokeMs: number): number | undefined => {
      const rig = new TurnRig({ expected: { kind } });
      rig.speak(spokeMs);
      rig.wait(2000);
      return (rig.of("flush-recogniser")[0]?.atMs ?? 0) - spokeMs;
    };
    expect(flushedMs("yes-or-no", 500)).toBeLessThanOrEqual(250);
    expect(flushedMs("yes-or-no", 900)).toBeGreaterThanOrEqual(400);
    expect(flushedMs("anything", 500)).toBeGreaterThanOrEqual(400);
  });

  it("[TURN-13a] lets a cough pass", () => {
    const rig = new TurnRig();
    rig.speak(300);
    rig.final("");
    rig.wait(1000);
    expect(rig.replies).toEqual([]);
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
});

describe("replies of ours", () => {
  it("[FAIL-2a] count failures from the last one that was heard, be it an answer or a question for what was not understood", () => {
    const kindsAfter = (inBetween: (rig: TurnRig) => void) => {
      const rig = new TurnRig();
      const fail = () => {
        rig.send({ type: "whole-turn", text: "hello" });
        rig.send({ type: "reply-failed", turnId: `turn-${rig.state.turnCount}`, failure: "model" });
        rig.audible();
        rig.drained();
      };
      fail();
      fail();
      inBetween(rig);
      rig.audible();
      rig.drained();
      fail();
      return rig.replies.at(-1)?.kind;
    };
    expect(kindsAfter((rig) => rig.send({ type: "whole-turn", text: "hello" }))).toBe("apology");
    const notUnderstood = (rig: TurnRig): void => {
      rig.speak(900);
      rig.final("");
      rig.wait(1500);
    };
    expect(kindsAfter(notUnderstood)).toBe("apology");
    expect(kindsAfter((rig) => rig.send({ type: "session-started", firstMove: "greet" }))).toBe("farewell");
  });

  it("[FAIL-1] are not dead air once they were audible, although a noise pauses them when their time would be over", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "hello" });
    rig.wait(1000);
    rig.audible();
    rig.wait(deadAirMs - 1100);
    rig.send({ type: "sound-started", sinceMs: rig.clock.now() - 60 });
    rig.wait(200);
    expect(rig.of("report-silence")).toEqual([]);
    expect(rig.replies).toHaveLength(1);
  });

  it("are begun, stopped and heard by their own turn, whatever is reported of an earlier one", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "hello" });
    rig.send({ type: "whole-turn", text: "what is my balance" });
    rig.send({ type: "reply-audible", turnId: "turn-1" });
    expect(rig.state.agent.kind).toBe("thinking");
    rig.send({ type: "reply-stopped", turnId: "turn-1", text: "I cannot say that." });
    expect(rig.replies.map(({ kind }) => kind)).toEqual(["answer", "answer"]);
    rig.audible();
    rig.drained();
    rig.send({ type: "reply-stopped", turnId: "turn-2", text: "I cannot say that." });
    expect(rig.replies).toHaveLength(2);
  });

  it("[EFFECT-4] are followed by what became of an effect that ended meanwhile", () => {
    const rig = new TurnRig();
    rig.send({ type: "effect-started", isHold: false });
    rig.send({ type: "whole-turn", text: "hello" });
    rig.audible();
    rig.send({ type: "effect-ended", isHold: false, words: "regret" });
    expect(rig.replies.map(({ kind }) => kind)).toEqual(["answer"]);
    rig.drained();
    expect(rig.replies.map(({ kind }) => kind)).toEqual(["answer", "regret"]);
  });
});

describe("an answering machine", () => {
  it("[VM-2] is neither listened to nor answered, until it turns out to be a person", () => {
    const rig = new TurnRig();
    rig.send({ type: "voicemail-answered" });
    rig.speak(900, "leave a message");
    rig.final("leave a message");
    rig.wait(3 * idleMs);
    expect(rig.replies).toEqual([]);
    rig.send({ type: "voicemail-refuted" });
    rig.speak(900);
    rig.final("who is this");
    rig.wait(1000);
    expect(rig.replies).toMatchObject([{ kind: "answer", text: "who is this" }]);
  });

  it("[VM-2] hears the message, and the call ends with it", () => {
    const rig = new TurnRig();
    rig.send({ type: "voicemail-answered" });
    rig.send({ type: "last-words", text: "Please call back.", reason: "voicemail" });
    expect(rig.replies).toMatchObject([{ kind: "message", text: "Please call back." }]);
    rig.audible();
    rig.drained();
    expect(rig.of("end-session")).toMatchObject([{ reason: "voicemail" }]);
  });
});

describe("a person in the agent's place", () => {
  it("[PERSON-4] [PERSON-5] [PERSON-7] silences the agent, has both sides stored, and gives the turn back to it", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "hello" });
    rig.audible();
    rig.send({ type: "person-joined" });
    expect(rig.of("cancel-reply")).toHaveLength(1);
    rig.speak(900);
    rig.final("are you a person");
    rig.send({ type: "person-said", text: "I am.", endedMs: rig.clock.now() });
    rig.wait(3 * idleMs);
    expect(rig.of("keep-words")).toMatchObject([{ text: "are you a person" }, { text: "I am.", author: "person" }]);
    expect(rig.replies).toHaveLength(1);
    rig.send({ type: "person-left" });
    expect(rig.replies.at(-1)).toMatchObject({ kind: "return" });
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
        rig.send({ type: "session-started", firstMove: "greet" });
        for (const step of happenings) {
          if (rig.state.agent.kind === "ended") break;
          if (step.do === "wait") rig.wait(step.ms);
          else if (step.do === "speak") rig.speak(step.ms, step.words === "" ? undefined : step.words);
          else if (step.do === "type") rig.send({ type: "whole-turn", text: step.text });
          else if (step.do === "final") {
            // What was said before the turn ended may turn out to be other words than those that were answered.
            const { turnEndedMs = 0 } = rig.state.lateFinal ?? {};
            if (turnEndedMs < rig.clock.now()) finals.push(step.text);
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

function replyEvent(rig: TurnRig, what: "audible" | "drained" | "fail" | "finished"): TimelessTurnEvent {
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

describe("lines of an operator", () => {
  const lines = (rig: TurnRig) => rig.replies.filter(({ kind }) => kind === "line").map(({ text }) => text);

  it("[OPS-3a] [OPS-3c] are said at once where nobody speaks, one after the other", () => {
    const rig = new TurnRig();
    rig.send({ type: "line-given", text: "One moment please." });
    rig.send({ type: "line-given", text: "I have your file." });
    expect(lines(rig)).toEqual(["One moment please."]);
    rig.audible();
    rig.drained();
    expect(lines(rig)).toEqual(["One moment please.", "I have your file."]);
  });

  it("[OPS-3c] wait for each other, ten at the most", () => {
    const rig = new TurnRig();
    for (let line = 0; line < 13; line++) rig.send({ type: "line-given", text: `Line ${line}.` });
    for (let line = 0; line < 13; line++) {
      rig.audible();
      rig.drained();
    }
    expect(lines(rig)).toEqual(Array.from({ length: 11 }, (_, line) => `Line ${line}.`));
  });

  it("[OPS-3a] wait for what the agent is saying", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "what is my balance" });
    rig.audible();
    rig.send({ type: "line-given", text: "Anything else?" });
    expect(lines(rig)).toEqual([]);
    rig.drained();
    expect(lines(rig)).toEqual(["Anything else?"]);
  });

  it("[OPS-3a] [OPS-3b] wait for the caller, and for the answer to the caller", () => {
    const rig = new TurnRig();
    rig.wait(120);
    rig.send({ type: "speech-started", sinceMs: 0 });
    rig.send({ type: "line-given", text: "Please hold." });
    rig.wait(880);
    rig.send({ type: "speech-stopped", stoppedMs: rig.clock.now() });
    rig.final("what is my balance");
    rig.wait(1000);
    expect(rig.replies.map(({ kind }) => kind)).toEqual(["answer"]);
    rig.audible();
    rig.drained();
    expect(lines(rig)).toEqual(["Please hold."]);
  });

  it("[OPS-3a] are said after a sound that was no words", () => {
    const rig = new TurnRig();
    rig.wait(120);
    rig.send({ type: "speech-started", sinceMs: 0 });
    rig.send({ type: "line-given", text: "Please hold." });
    rig.wait(200);
    rig.send({ type: "speech-stopped", stoppedMs: rig.clock.now() });
    rig.final("");
    rig.wait(1000);
    expect(lines(rig)).toEqual(["Please hold."]);
  });

  it("[OPS-3a] [BARGE-3a] are said at once after an answer over which the caller murmured", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "what is my balance" });
    rig.audible();
    rig.send({ type: "line-given", text: "Anything else?" });
    rig.speak(300, "uh-huh");
    rig.final("uh-huh");
    rig.drained();
    expect(lines(rig)).toEqual(["Anything else?"]);
  });

  it("[PERSON-1a] are said again where they were cut off before a word of them was heard", () => {
    const rig = new TurnRig();
    rig.send({ type: "line-given", text: "Please hold.", lineId: "l-1" });
    rig.send({ type: "whole-turn", text: "hello" });
    rig.send({ type: "line-cut", turnId: "turn-1", heard: "nothing" });
    rig.audible();
    rig.drained();
    expect(lines(rig)).toEqual(["Please hold.", "Please hold."]);
  });

  it("[PERSON-2] are refused once the conversation is over, where nothing else happens any more", () => {
    const rig = new TurnRig();
    rig.send({ type: "end-requested", reason: "finished" });
    rig.send({ type: "line-given", text: "Are you there?", lineId: "l-1" });
    const line = { text: "Are you there?", id: "l-1" };
    expect(rig.of("refuse-line")).toMatchObject([{ line, reason: "conversation_ended" }]);
    const { length } = rig.effects;
    rig.send({ type: "whole-turn", text: "hello" });
    expect(rig.effects).toHaveLength(length);
  });

  it("[OPS-3a] wait until the caller is back from hold", () => {
    const rig = new TurnRig();
    rig.send({ type: "effect-started", isHold: true });
    rig.send({ type: "line-given", text: "Are you there?" });
    expect(lines(rig)).toEqual([]);
    rig.send({ type: "effect-ended", isHold: true, words: undefined });
    expect(lines(rig)).toEqual(["Are you there?"]);
  });
});
