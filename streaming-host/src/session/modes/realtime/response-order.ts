/**
 * Which response of a realtime service belongs where, and what follows when one has ended. A service answers what the caller says unasked,
 * also while another response is requested of it, and makes one at a time; a reply may need several. Pure.
 */
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { RealtimeEvent } from "@voice/provider-kit/ports/realtime-model";
import { explainedError, VoiceError } from "@voice/shared/platform/errors";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { longestAnswer, mostCalls } from "../../../pipeline/cascade/ask-model.ts";
import type { AnswerCut } from "../../../pipeline/cut-answers.ts";
import { isAnswer } from "../../output/finished-reply.ts";
import { mayBeCutOff } from "../../turn/interruption.ts";
import { isLastWords } from "../../turn/turn-effects.ts";
import type { ReplyPlan } from "../../turn/turn-effects.ts";

/** The realtime model's events about a response; the session handles the others. */
export type ResponseEvent = Extract<
  RealtimeEvent,
  {
    type:
      | "response-started"
      | "audio"
      | "audio-finished"
      | "agent-text"
      | "agent-text-finished"
      | "word"
      | "tool-call"
      | "response-finished";
  }
>;

export type ResponseStart = Extract<ResponseEvent, { type: "response-started" }>;
export type ResponseEnd = Extract<ResponseEvent, { type: "response-finished" }>;
/** What comes of a response that has begun. */
export type ResponseContent = Exclude<ResponseEvent, { type: "response-started" | "word" }>;

/** What decides about a response, of the reply that is open when it begins or ends. */
export interface ReplySoFar {
  readonly plan: ReplyPlan;
  /** The whole reply has arrived. */
  readonly isWhole: boolean;
  /** Words that bridge the run of its tools were requested, and the response to what the tools gave waits for their end. */
  readonly isBridged: boolean;
  readonly runningTools: readonly string[];
  /** A response has begun that is part of the reply. */
  readonly hasResponse: boolean;
  /** What the response has called so far. */
  readonly calls: readonly ToolCall[];
  /** How many of its responses have called tools. */
  readonly toolRounds: number;
  /** The model may call no more tools in this turn (TOOL-11). */
  readonly mayCallNoMore: boolean;
  /** What the agent who has taken over says first; undefined once the service has said it. */
  readonly greeting: string | undefined;
  /** The caller waits for words: the model has said nothing since they spoke, or since a tool gave a result. */
  readonly owesWords: boolean;
  /** A tool of this turn has succeeded. */
  readonly hasSucceeded: boolean;
  /** The model had nothing to say, and was asked once more (MODEL-14). */
  readonly isSecondTry: boolean;
  readonly cut: HistoryItem["cut"];
  /** How often the service has stopped it for the caller, although nobody may cut it off. */
  readonly timesCutOff: number;
  /** Undefined until the model's own audio begins. */
  readonly answerFrom: number | undefined;
  /** The tools had effects that need no words. */
  readonly hasActed: boolean;
}

export type ResponsePlace =
  /** The response is part of the current reply. */
  | "open-reply"
  /** The response is a reply of its own, and waits until the current one was heard (TURN-11). */
  | "early"
  /** Nobody is to hear the response: another one is still to come that answers the same and more, or it says the agent's last words. */
  | "refused";

/** `toolsRun`: tools of this reply or of one before it. */
export function placeOf(
  { isUnasked = false }: ResponseStart,
  reply: ReplySoFar,
  { toolsRun }: { readonly toolsRun: boolean },
): ResponsePlace {
  const { plan, hasResponse, toolRounds, hasActed, isWhole } = reply;
  if (isWhole) return "early";
  if (toolsRun && awaitsTools(reply)) return "refused";
  // One that the service begins by itself is what the reply waits for only if that was not requested.
  if (!isUnasked || (plan.origin === "service" && !hasResponse)) return "open-reply";
  // The response may not know the tools' results, and does not announce the effects that they request (TOOL-3, EFFECT-2).
  if (toolRounds > 0 || hasActed || isLastWords(plan.kind)) return "refused";
  return "early";
}

/** TOOL-3: while tools run, it is requested when they have finished, and whatever the service begins unasked is not part of it. */
export function awaitsTools({
  plan,
  isBridged,
  runningTools,
}: Pick<ReplySoFar, "plan" | "isBridged" | "runningTools">): boolean {
  return !isBridged && (plan.kind === "answer" || runningTools.length > 0);
}

export type NextMove =
  /** The response to what the tools give is still to come. */
  | { readonly type: "go-on" }
  | { readonly type: "run-tools" }
  /**
   * Something else of the service, which belongs to the same reply. `answer`: the agent who has taken over has greeted. MODEL-14: `again`
   * where the model had nothing to say; `what-else` where it has nothing after a tool that has succeeded, because an apology would say
   * that what was done has failed.
   */
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

export function afterResponse(
  reply: ReplySoFar,
  { status, cut, error }: Omit<ResponseEnd, "type" | "responseId">,
): NextMove {
  const { plan, isBridged, runningTools, calls, mayCallNoMore, toolRounds, timesCutOff } = reply;
  if (isBridged) return { type: "go-on" };
  const apology = cut && apologyFor(reply, cut);
  if (apology !== undefined) return { type: "apologise", for: apology };
  const isCutOff = status === "cancelled";
  if (isCutOff && !mayBeCutOff(plan) && timesCutOff < mostTimesCutOff) return { type: "say-again" };
  // The arguments of calls in another response may be cut off.
  if (status === "completed" && calls.length > 0)
    return mayCallNoMore ? tooManyCalls(toolRounds) : { type: "run-tools" };
  if (status === "completed" && reply.greeting !== undefined) return { type: "request", what: "answer" };
  if (status === "failed") return failed(reply, error);
  if (status === "completed" && reply.owesWords && isAnswer(plan)) {
    if (!reply.isSecondTry) return { type: "request", what: "again" };
    if (reply.hasSucceeded) return { type: "request", what: "what-else" };
  }
  if (isSilent(reply) && !(isCutOff && mayBeCutOff(plan))) return { type: "fail", error };
  return runningTools.length > 0 ? { type: "go-on" } : { type: "complete" };
}

function failed(reply: ReplySoFar, error: VoiceError | undefined): NextMove {
  const hasBegun = reply.answerFrom !== undefined && isAnswer(reply.plan);
  if (!hasBegun) return { type: "fail", error };
  return {
    type: "complete",
    broken: error ?? new VoiceError("upstream_unavailable", "the realtime model broke off its answer"),
  };
}

/** The agent apologises only once in a reply. MODEL-3: a response without a word counts as failed. */
function apologyFor(reply: ReplySoFar, cut: NonNullable<ResponseEnd["cut"]>): AnswerCut | undefined {
  if (reply.cut !== undefined || !isAnswer(reply.plan)) return undefined;
  if (cut === "length") return isSilent(reply) ? undefined : "length";
  return isSilent(reply) ? "filtered-prompt" : "filtered-answer";
}

/** With a filtered or empty answer the caller would hear silence. */
function isSilent({ answerFrom, hasActed }: ReplySoFar): boolean {
  return answerFrom === undefined && !hasActed;
}

/** MODEL-3. */
function tooManyCalls(toolRounds: number): NextMove {
  const reason = `the realtime model called tools in ${toolRounds + 1} responses in a row`;
  return { type: "fail", error: explainedError("upstream_unavailable", reason) };
}

/** What waits to be heard: twice the audio of the most tokens that these models give an answer (4,096), 30 MB at 24 kHz. */
const longestUnheardMs = 10 * 60_000;

const nobodyMeans = `the realtime model made more than ${mostCalls} calls in one response, or of more than ${longestAnswer} characters`;

/** How a response ends of which more arrives than an answer may have. Who asks for so many calls means none of them. */
export type Excess = Pick<ResponseEnd, "status" | "cut" | "error">;
const tooManyWords: Excess = { status: "incomplete", cut: "length" };
const tooMuchCalled: Excess = {
  status: "failed",
  error: explainedError("upstream_unavailable", nobodyMeans),
};

/**
 * Counts what arrives of one response, because nobody else bounds it: a model that repeats itself without end, or faster than anybody
 * can hear it, would fill the host's memory (MODEL-1, MODEL-3).
 */
export class ResponseSize {
  #characters = 0;
  #calls = 0;

  /** `unheardMs`: of the reply's audio. Undefined as long as it is no more than an answer may be. */
  add(event: ResponseEvent, unheardMs: number): Excess | undefined {
    if (event.type === "agent-text") this.#characters += event.delta.length;
    if (event.type === "tool-call") {
      this.#calls++;
      this.#characters += event.call.argumentsJson.length;
      if (this.#calls > mostCalls || this.#characters > longestAnswer) return tooMuchCalled;
    }
    return this.#characters > longestAnswer || unheardMs > longestUnheardMs ? tooManyWords : undefined;
  }
}
