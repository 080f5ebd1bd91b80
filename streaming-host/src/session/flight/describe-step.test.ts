import { initialTurnState } from "../turn/turn-state.ts";
import { describe, expect, it } from "vitest";
import { describeStep } from "./describe-step.ts";

const step = {
  wallMs: Date.UTC(2026, 0, 1, 12, 30, 1, 7),
  event: { type: "timer", timer: "idle", atMs: 1 },
  recorded: [{ type: "begin-reply", plan: { kind: "reprompt", anchorMs: 100.123 } }],
  stoppedThen: [],
  stoppedToday: [],
  isSame: true,
  followsDifference: false,
  state: initialTurnState(0),
} as const;

describe("a step as lines", () => {
  it("says when, what was met and what was decided", () => {
    expect(describeStep({ ...step, today: step.recorded })).toEqual([
      "12:30:01.007  timer timer=idle",
      '    → begin-reply plan={"kind":"reprompt","anchorMs":100.1}',
    ]);
  });

  it("shows a caller's words on its line, and nothing of them that a terminal obeys", () => {
    const event = { type: "whole-turn", text: "\u001B[2JHello\n12:30:01.008  timer timer=idle", atMs: 1 } as const;
    expect(describeStep({ ...step, event, recorded: [], today: [] })).toEqual([
      "12:30:01.007  whole-turn text= [2JHello 12:30:01.008 timer timer=idle",
    ]);
  });

  it("shows both decisions where there are two, and timers that are stopped in one line", () => {
    const today = [
      { type: "clear-timer", timer: "idle" },
      { type: "end-session", reason: "caller_silent" },
      { type: "clear-timer", timer: "hold" },
      { type: "clear-timer", timer: "flush" },
    ];
    expect(describeStep({ ...step, today, stoppedToday: ["idle", "hold"], isSame: false })).toEqual([
      "12:30:01.007  timer timer=idle   (different now)",
      '    - begin-reply plan={"kind":"reprompt","anchorMs":100.1}',
      "    + end-session reason=caller_silent",
      "    + clear-timer idle, hold",
    ]);
  });
});
