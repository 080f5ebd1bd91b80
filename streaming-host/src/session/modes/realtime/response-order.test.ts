import type { ToolCall } from "@voice/shared/tools/tool-call";
import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import type { ReplyKind, ReplyPlan } from "../../turn/turn-effects.ts";
import { afterResponse, placeOf } from "./response-order.ts";
import type { ReplySoFar, ResponseEnd } from "./response-order.ts";

const call: ToolCall = { id: "call-1", name: "look_up", argumentsJson: "{}" };
const heard = { answerFrom: 0, owesWords: false };

function replySoFar(plan: Partial<ReplyPlan>, so: Partial<ReplySoFar>): ReplySoFar {
  return {
    plan: { turnId: "turn-1", kind: "answer", text: "", anchorMs: 0, origin: "session", prepared: false, ...plan },
    isWhole: false,
    isBridged: false,
    runningTools: [],
    hasResponse: false,
    calls: [],
    toolRounds: 0,
    mayCallNoMore: false,
    greeting: undefined,
    owesWords: true,
    hasSucceeded: false,
    isSecondTry: false,
    cut: undefined,
    timesCutOff: 0,
    answerFrom: undefined,
    hasActed: false,
    ...so,
  };
}

interface Case {
  readonly plan?: Partial<ReplyPlan>;
  readonly reply?: Partial<ReplySoFar>;
  readonly isUnasked?: boolean;
  readonly toolsRun?: boolean;
}

function place({ plan = {}, reply = {}, isUnasked = true, toolsRun = false }: Case): string {
  return placeOf({ type: "response-started", responseId: "r", isUnasked }, replySoFar(plan, reply), { toolsRun });
}

function next(reply: Partial<ReplySoFar>, end: Partial<ResponseEnd> = {}, kind: ReplyKind = "answer"): string {
  const move = afterResponse(replySoFar({ kind }, reply), { status: "completed", ...end });
  if (move.type === "request") return `${move.type} ${move.what}`;
  if (move.type === "complete" && move.broken !== undefined) return "break off";
  return move.type === "apologise" ? `${move.type} ${move.for}` : move.type;
}

describe("a response that begins while a reply is open", () => {
  it("is the reply's own if it was requested, or if the service began the reply itself", () => {
    expect(place({ isUnasked: false })).toBe("open-reply");
    expect(place({ plan: { origin: "service" } })).toBe("open-reply");
  });

  it("[TURN-11] waits if the service began it unasked before the words that were requested, or when the reply has arrived", () => {
    expect(place({ plan: { kind: "line" } })).toBe("early");
    expect(place({ plan: { kind: "announcement" } })).toBe("early");
    expect(place({ isUnasked: false, reply: { isWhole: true } })).toBe("early");
  });

  it("[BARGE-9] is refused before a goodbye", () => {
    expect(place({ plan: { kind: "farewell" } })).toBe("refused");
  });

  it("[TOOL-3d] [EFFECT-2c] is refused while the reply's tools run, and while what they gave is still to be said", () => {
    expect(place({ isUnasked: false, toolsRun: true, reply: { runningTools: ["pay"], toolRounds: 1 } })).toBe(
      "refused",
    );
    expect(place({ reply: { toolRounds: 1 } })).toBe("refused");
    expect(place({ reply: { hasActed: true } })).toBe("refused");
    expect(place({ isUnasked: false, reply: { toolRounds: 1 } })).toBe("open-reply");
  });
});

describe("when a response has ended", () => {
  it("is complete with words, and has failed without any", () => {
    expect(next(heard)).toBe("complete");
    expect(next({}, {}, "greeting")).toBe("fail");
    expect(next({ hasActed: true, owesWords: false })).toBe("complete");
  });

  it("[MODEL-14] has the model asked once more for an answer without words, and says something itself where a tool has succeeded", () => {
    expect(next({})).toBe("request again");
    expect(next({ isSecondTry: true })).toBe("fail");
    expect(next({ isSecondTry: true, hasSucceeded: true })).toBe("request what-else");
    expect(next({ answerFrom: 0, isSecondTry: true, hasSucceeded: true })).toBe("request what-else");
  });

  it("[MODEL-15] has what there is of an answer heard before it has failed", () => {
    const failed = { status: "failed", error: new VoiceError("rate_limited", "slow down") } as const;
    expect(next(heard, failed)).toBe("break off");
    expect(next({}, failed)).toBe("fail");
  });

  it("runs the tools that were called, but none of a response that was cut off", () => {
    expect(next({ calls: [call] })).toBe("run-tools");
    expect(next({ ...heard, calls: [call] }, { status: "cancelled" })).toBe("complete");
    expect(next({ calls: [call] }, { status: "failed" })).toBe("fail");
  });

  it("[RT-30] has the model asked for the answer once the next agent's greeting is complete, and not where it failed", () => {
    const greeting = "Hello from cards.";
    expect(next({ ...heard, greeting })).toBe("request answer");
    expect(next({ greeting, calls: [call] })).toBe("run-tools");
    expect(next({ greeting }, { status: "failed" })).toBe("fail");
    expect(next({ greeting }, { status: "cancelled" })).toBe("complete");
  });

  it("[MODEL-3] fails where the model calls tools for ever", () => {
    const spent = [false, true].map((mayCallNoMore) => next({ calls: [call], toolRounds: 25, mayCallNoMore }));
    expect(spent).toEqual(["run-tools", "fail"]);
  });

  it("[MODEL-1d] apologises once for an answer that was not completed", () => {
    const incomplete = { status: "incomplete" } as const;
    expect(next(heard, { ...incomplete, cut: "length" })).toBe("apologise length");
    expect(next(heard, { ...incomplete, cut: "content_filter" })).toBe("apologise filtered-answer");
    expect(next({}, { ...incomplete, cut: "content_filter" })).toBe("apologise filtered-prompt");
    expect(next({}, { ...incomplete, cut: "length" })).toBe("fail");
    expect(next({ ...heard, cut: "length" }, { ...incomplete, cut: "length" })).toBe("complete");
    expect(next(heard, { ...incomplete, cut: "length" }, "greeting")).toBe("complete");
  });

  it("[REC-3g] [BARGE-9] says words again that nobody may cut off, three times at most", () => {
    const cancelled = { status: "cancelled" } as const;
    const times = [0, 2, 3].map((timesCutOff) => next({ ...heard, timesCutOff }, cancelled, "announcement"));
    expect(times).toEqual(["say-again", "say-again", "complete"]);
    expect(next({ timesCutOff: 3 }, cancelled, "announcement")).toBe("fail");
    expect(next({}, cancelled)).toBe("complete");
  });

  it("goes on when the words that bridged a tool's run are over, however that response ended", () => {
    expect(next({ isBridged: true }, { status: "failed" })).toBe("go-on");
  });

  it("[TOOL-3d] goes on while tools run, whatever else has ended", () => {
    expect(next({ ...heard, runningTools: ["pay"], toolRounds: 1 })).toBe("go-on");
  });
});
