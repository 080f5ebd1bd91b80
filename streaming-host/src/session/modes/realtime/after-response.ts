/** Decides what follows when a response of the model has ended: a reply may need several. Pure. */
import { VoiceError } from "@voice/shared/platform/errors";
import type { AnswerCut } from "../../../pipeline/cut-answers.ts";
import { isAnswer } from "../../output/finished-reply.ts";
import { mayBeCutOff } from "../../turn/interruption.ts";
import { isSilent } from "./realtime-reply.ts";
import type { RealtimeReply } from "./realtime-reply.ts";
import type { ResponseEnd } from "./response-event.ts";

export type NextMove =
  /** The words that bridged a tool's run are over; the response to what it gave is still to come. */
  | { readonly type: "go-on" }
  | { readonly type: "run-tools" }
  /** Something else of the service, which belongs to the same reply. */
  | { readonly type: "request"; readonly what: "answer" | "again" | "what-else" }
  /** REC-3, BARGE-9: the service stops for a caller who speaks, whatever it is saying; nobody may cut these words off. */
  | { readonly type: "say-again" }
  /** MODEL-1. */
  | { readonly type: "apologise"; readonly for: AnswerCut }
  | { readonly type: "fail"; readonly error: VoiceError | undefined }
  /** `broken`: MODEL-15, it has failed once what there is of it was heard. */
  | { readonly type: "complete"; readonly broken?: VoiceError };

/** A caller who goes on speaking has the last of them cut off, too. */
const mostTimesCutOff = 3;

type ReplySoFar = Pick<
  RealtimeReply,
  | "plan"
  | "notice"
  | "greeting"
  | "cut"
  | "calls"
  | "toolRounds"
  | "roundsSpent"
  | "hasSucceeded"
  | "owesWords"
  | "isAskedAgain"
  | "timesCutOff"
  | "answerFrom"
  | "hasActed"
>;

export function afterResponse(reply: ReplySoFar, { status, cut, error }: ResponseEnd): NextMove {
  const { plan, notice, calls, toolRounds, timesCutOff } = reply;
  if (notice !== undefined) return { type: "go-on" };
  const apology = cut && apologyFor(reply, cut);
  if (apology !== undefined) return { type: "apologise", for: apology };
  const isCutOff = status === "cancelled";
  if (isCutOff && !mayBeCutOff(plan) && timesCutOff < mostTimesCutOff) return { type: "say-again" };
  // The arguments of calls in another response may be cut off.
  if (status === "completed" && calls.length > 0)
    return reply.roundsSpent ? tooManyCalls(toolRounds) : { type: "run-tools" };
  if (status === "completed" && reply.greeting !== undefined) return { type: "request", what: "answer" };
  if (status === "failed") return failed(reply, error);
  if (status === "completed" && reply.owesWords && isAnswer(plan)) {
    if (!reply.isAskedAgain) return { type: "request", what: "again" };
    if (reply.hasSucceeded) return { type: "request", what: "what-else" };
  }
  if (isSilent(reply) && !(isCutOff && mayBeCutOff(plan))) return { type: "fail", error };
  return { type: "complete" };
}

function failed(reply: ReplySoFar, error: VoiceError | undefined): NextMove {
  const hasBegun = reply.answerFrom !== undefined && isAnswer(reply.plan);
  if (!hasBegun) return { type: "fail", error };
  return {
    type: "complete",
    broken: error ?? new VoiceError("upstream_unavailable", "the realtime model broke off its answer"),
  };
}

/** Said only once. MODEL-3: a response without a word counts as failed. */
function apologyFor(reply: ReplySoFar, cut: NonNullable<ResponseEnd["cut"]>): AnswerCut | undefined {
  if (reply.cut !== undefined || !isAnswer(reply.plan)) return undefined;
  if (cut === "length") return isSilent(reply) ? undefined : "length";
  return isSilent(reply) ? "filtered-prompt" : "filtered-answer";
}

/** MODEL-3. */
function tooManyCalls(toolRounds: number): NextMove {
  const reason = `the realtime model called tools in ${toolRounds + 1} responses in a row`;
  return { type: "fail", error: new VoiceError("upstream_unavailable", reason, { reason }) };
}
