import { emptyUserTurn, initialTurnState } from "@voice/streaming-host/session/turn/turn-state";
import type { TurnState, UserTurn } from "@voice/streaming-host/session/turn/turn-state";
import { describe, expect, it } from "vitest";

import { stateFacts } from "./describe-state.ts";

const at = (sessionMs: number): string => `${(sessionMs / 1000).toFixed(2)} s`;

const start = initialTurnState(0);
const withTurn = (user: Partial<UserTurn>): TurnState => ({ ...start, user: { ...emptyUserTurn, ...user } });
const reply = { turnId: "turn-3", kind: "answer" } as const;

/** What is said of a state beyond what is said at the start of a conversation. */
function saidOf(state: TurnState): readonly string[] {
  return stateFacts(state, start, at).flatMap(({ name, value, isNews }) => (isNews ? [`${name}: ${value}`] : []));
}

describe("how things stand", () => {
  it("at the start is that nothing happens yet", () => {
    expect(stateFacts(start, undefined, at).map(({ name, value }) => `${name} ${value}`)).toEqual([
      "The agent listens",
      "The caller is silent",
    ]);
  });

  it.each<[TurnState, string]>([
    [
      { ...start, agent: { kind: "awaiting", sinceMs: 2100 } },
      "The agent: waits for the service’s answer since 2.10 s",
    ],
    [{ ...start, agent: { kind: "thinking", reply } }, "The agent: makes the answer (turn 3); nothing is heard yet"],
    [{ ...start, agent: { kind: "speaking", reply } }, "The agent: says the answer (turn 3)"],
    [
      { ...start, agent: { kind: "speaking", reply: { ...reply, isOnlyFiller: true } } },
      "The agent: fills the time until the answer (turn 3)",
    ],
    [
      { ...start, agent: { kind: "held", reply, was: "speaking" } },
      "The agent: has paused the answer (turn 3), until it is clear whether the caller interrupts",
    ],
    [{ ...start, agent: { kind: "ended" } }, "The agent: has nothing more to do: the conversation is over"],
    [{ ...start, preparedText: "my balance" }, "Prepared is an answer to: “my balance”"],
    [{ ...start, preparations: 2 }, "Prepared in this turn: 2 times"],
    [
      { ...start, pauses: { count: 3, longestMs: 900 } },
      "This caller’s pauses: 3 times before going on, for 900 ms at most",
    ],
    [{ ...start, turnCount: 4 }, "Turns so far: 4"],
    [{ ...start, reprompts: 1 }, "Asked a silent caller: once"],
    [{ ...start, failures: 1 }, "Answers failed: once"],
    [{ ...start, clarifications: 2 }, "Asked to say it again: 2 times"],
    [{ ...start, effectsRunning: 1 }, "With the call: something is being done, such as a transfer"],
    [{ ...start, onHold: true }, "On hold: the caller hears music"],
    [{ ...start, pendingWords: "regret" }, "Still to be told: that the transfer did not come about"],
    [{ ...start, firstMove: "greet" }, "After the announcement: the greeting"],
    [{ ...start, firstMove: "answer" }, "After the announcement: the answer that another host left unsaid"],
    [{ ...start, owesAnswer: true }, "Owed: an answer that was lost unheard"],
    [
      { ...start, lateFinal: { heard: "my balance", isAnswered: true, turnEndedMs: 2000, speechSinceMs: undefined } },
      "Late words: those of the turn before may still come, and are not new",
    ],
    [{ ...start, isDeaf: true }, "Not listened to: an answering machine"],
    [
      { ...start, gap: { endsMs: 3200, isFragment: true } },
      "Words may be lost: before 3.20 s, and the beginning of what is said now",
    ],
    [{ ...start, isPaused: true }, "Paused by the page: nothing is timed"],
    [
      { ...start, lines: [{ text: "Hold on." }, { text: "Thank you." }] },
      "To be said for an operator: “Hold on.”, “Thank you.”",
    ],
    [{ ...start, endReason: "caller_done" }, "Ends after this reply: because the caller was done"],
    [withTurn({ speech: { kind: "speaking", sinceMs: 500 } }), "The caller: speaks since 0.50 s"],
    [
      withTurn({ speech: { kind: "stopped", stoppedMs: 2500, lastedMs: 800 } }),
      "The caller: is silent since 2.50 s, after 800 ms of speech",
    ],
    [withTurn({ finals: ["I want", "to pay"] }), "Understood: “I want to pay”"],
    [withTurn({ partial: "my bal" }), "Heard so far: “my bal”"],
    [withTurn({ partialEndedMs: 1500 }), "The words so far ended at: 1.50 s"],
    [withTurn({ sentence: "whole-so-far" }), "The words are: a whole sentence that may go on"],
    [
      withTurn({ prosody: { pitchSlope: -3.21, energySlope: 1 } }),
      "The voice: Pitch fell by 3.2 semitones per second, loudness rose by 1.0 dB per second",
    ],
    [withTurn({ voice: 0.83 }), "By the voice alone: 83 % sure that the caller has finished"],
    [withTurn({ rejected: "hm" }), "Heard, then taken back: “hm”"],
    [withTurn({ guess: "my balance" }), "It may have been: “my balance”"],
    [withTurn({ unheardMs: 1200 }), "Speech without words: 1.2 s"],
    [
      withTurn({ estimate: { probability: 0.97, waitMs: 240, reasons: ["whole_sentence"] } }),
      "The wait: 240 ms, being 97 % sure that the caller has finished: a whole sentence",
    ],
    [withTurn({ anchorMs: 1000 }), "Answers are timed from: 1.00 s"],
    [withTurn({ finished: true }), "End of the turn: the page has said that it is here"],
    [withTurn({ isWhole: true }), "Typed or keyed: at least in part"],
  ])("is said in words: %j", (state, words) => {
    expect(saidOf(state)).toEqual([words]);
  });

  it("says what there is nothing to say of any more", () => {
    expect(stateFacts(start, withTurn({ partial: "my bal" }), at).filter(({ isNews }) => isNews)).toEqual([
      { name: "Heard so far", value: "", isNews: true },
    ]);
  });
});
