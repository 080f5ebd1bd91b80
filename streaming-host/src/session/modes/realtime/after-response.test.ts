import type { ModelToolCall } from "@voice/provider-kit/ports/language-model";
import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { fakeAgent } from "../../../testing/fake-catalog.ts";
import type { ReplyKind } from "../../turn/turn-effects.ts";
import { afterResponse } from "./after-response.ts";
import { makeReplyParts, openRealtimeReply } from "./realtime-reply.ts";
import type { RealtimeReply } from "./realtime-reply.ts";
import type { ResponseEnd } from "./response-event.ts";

const call: ModelToolCall = { id: "call-1", name: "look_up", argumentsJson: "{}" };
const heard = { answerFrom: 0, owesWords: false };

function next(reply: Partial<RealtimeReply>, end: Partial<ResponseEnd> = {}, kind: ReplyKind = "answer"): string {
  const plan = { turnId: "turn-1", kind, text: "", anchorMs: 0, origin: "session", prepared: false } as const;
  const open = { ...openRealtimeReply(plan, makeReplyParts(fakeAgent("desk"))), ...reply };
  const move = afterResponse(open, { type: "response-finished", responseId: "r", status: "completed", ...end });
  if (move.type === "request") return `${move.type} ${move.what}`;
  if (move.type === "complete" && move.broken !== undefined) return "break off";
  return move.type === "apologise" ? `${move.type} ${move.for}` : move.type;
}

describe("when a response has ended", () => {
  it("is complete with words, and has failed without any", () => {
    expect(next(heard)).toBe("complete");
    expect(next({}, {}, "greeting")).toBe("fail");
    expect(next({ hasActed: true, owesWords: false })).toBe("complete");
  });

  it("[MODEL-14] has the model asked once more for an answer without words, and says something itself where a tool has succeeded", () => {
    expect(next({})).toBe("request again");
    expect(next({ isAskedAgain: true })).toBe("fail");
    expect(next({ isAskedAgain: true, hasSucceeded: true })).toBe("request what-else");
    expect(next({ answerFrom: 0, isAskedAgain: true, hasSucceeded: true })).toBe("request what-else");
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
    const spent = [false, true].map((roundsSpent) => next({ calls: [call], toolRounds: 25, roundsSpent }));
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
    const notice = Promise.withResolvers<undefined>();
    expect(next({ notice }, { status: "failed" })).toBe("go-on");
  });
});
