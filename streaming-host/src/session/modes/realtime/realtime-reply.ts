/** One open reply of a realtime model, and what is needed to run it. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { Clock } from "@voice/shared/platform/clock";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Withdrawal } from "@voice/shared/conversation/withdrawn-effects";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ToolRunner } from "../../../pipeline/cascade/agent-loop.ts";
import type { ToolCallOutcome } from "../../../pipeline/cascade/tool-call-outcome.ts";
import type { AnswerCut } from "../../../pipeline/cut-answers.ts";
import { ReplyWords } from "../../../pipeline/realtime/reply-words.ts";
import type { ModelToolCall } from "@voice/provider-kit/ports/language-model";
import type { RealtimeSession } from "@voice/provider-kit/ports/realtime-model";
import type { SessionProbe } from "../../output/session-probe.ts";
import type { OpenActivity } from "../../output/turn-activities.ts";
import type { SessionNotice } from "../../../transports/transport.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import type { TakenHandoff } from "../../conversation/taken-handoff.ts";
import type { HostEffect } from "../../conversation/host-effects.ts";
import type { Playout } from "../../playout/playout.ts";
import { Track } from "../../playout/track.ts";
import type { SessionRecorder } from "../../recording/session-recorder.ts";
import { TurnTimeline } from "../../output/turn-timeline.ts";
import type { ReplyPlan } from "../../turn/turn-effects.ts";
import type { RealtimeFillers } from "./realtime-fillers.ts";
import { ResponseSize } from "./response-size.ts";
import { GuardrailHits } from "../../../pipeline/guardrail-hit.ts";
import type { GuardrailHit } from "../../../pipeline/guardrail-hit.ts";

export interface RealtimeRepliesOptions {
  readonly conversation: Conversation;
  readonly playout: Playout;
  readonly recorder: SessionRecorder;
  /** The fixed words for this kind of reply. */
  readonly announcement: string | undefined;
  readonly clock: Clock;
  readonly tools: ToolRunner;
  readonly sampleRateHz: number;
  readonly notify: (notice: SessionNotice) => void;
  readonly probe: SessionProbe;
  readonly onProgress: () => void;
  /** Runs on the open connection. False if there is none. */
  readonly link: (action: (session: RealtimeSession) => void) => boolean;
  readonly onAgentChanged: () => void;
  /** The tools have found something out, which the prompt may say. */
  readonly onRemembered: () => void;
  readonly onEffect: (effect: HostEffect) => void;
  /** The model failed a reply, had nothing to say, or can no longer be reached. */
  readonly onFailed: (turnId: string, error?: VoiceError) => void;
  /** An answer of the service was given up before anybody heard it. */
  readonly onAnswerLost: () => void;
  /** The model has produced its first words for this reply. */
  readonly onWritten: (turnId: string) => void;
  /** The model did not complete its answer. */
  readonly onCut: (turnId: string, cut: AnswerCut) => void;
  /** The model has called tools in so many answers, and may call no more in this turn. */
  readonly onRoundsSpent: (turnId: string, rounds: number) => void;
  /** Synthesises fillers (FILL-1). */
  readonly fillers: RealtimeFillers;
  readonly onGuardrail: (turnId: string, hit: GuardrailHit) => void;
  /** A guardrail has stopped the reply and supplies replacement words. */
  readonly onStopped: (turnId: string, text: string) => void;
}

/** What an agent's reply needs whatever it answers. Made before the caller has spoken, because it takes 30 µs. */
export interface ReplyParts {
  readonly track: Track;
  readonly words: ReplyWords;
  readonly timeline: TurnTimeline;
  readonly abort: AbortController;
  /** The ids of the responses that are part of the reply; late events of other responses are ignored. */
  readonly responses: Set<string>;
  readonly guardrails: GuardrailHits;
}

export interface RealtimeReply extends ReplyParts {
  readonly plan: ReplyPlan;
  /** The service is generating a response. */
  response: OpenActivity | undefined;
  /** What has arrived of that response. */
  size: ResponseSize;
  /** It has been requested before, so that the model knows what the caller typed. */
  isTold: boolean;
  /** The reply has been requested from the model. */
  isAsked: boolean;
  /** The model has produced its first words. */
  isWritten: boolean;
  /** "One moment, please" is being said while tools run; the response to their results must wait for its end. */
  notice: PromiseWithResolvers<undefined> | undefined;
  /** The service has not ended it. */
  awaitsNotice: boolean;
  /** Where in the track the model's own audio begins; undefined before. */
  answerFrom: number | undefined;
  /** The model was cut off (MODEL-1). */
  cut: HistoryItem["cut"];
  readonly handoffs: TakenHandoff[];
  calls: ModelToolCall[];
  /** For the request that is still to be sent. */
  instructions: string | undefined;
  /** What the agent who has taken over says before that; undefined once the service has said it. */
  greeting: string | undefined;
  /** Names of the tools that run now. */
  runningTools: readonly string[];
  /** How many responses have called tools. */
  toolRounds: number;
  /** Aborted when nobody wants the running look-ups any more; they outlast a caller who speaks (TOOL-10). */
  readonly lookUps: AbortSignal | undefined;
  /** What the calls of the previous response gave. */
  ran: readonly ToolCallOutcome[];
  /** It may call no more (TOOL-11). */
  roundsSpent: boolean;
  /** The caller waits for words: the model has said nothing since they spoke, or since a tool gave a result. */
  owesWords: boolean;
  /** A tool of this turn has succeeded. */
  hasSucceeded: boolean;
  /** The model had nothing to say, and was asked once more (MODEL-14). */
  isAskedAgain: boolean;
  /** MODEL-15: the model failed in mid-answer. What has arrived is still heard, and then it has failed. */
  broken: VoiceError | undefined;
  /** How often the service has stopped it for the caller, although nobody may cut it off. */
  timesCutOff: number;
  /** Effects for after the reply was heard: a transfer is announced before it happens (EFFECT-2). */
  readonly effects: HostEffect[];
  /** The tools had effects that need no words. */
  hasActed: boolean;
  /** The whole reply has arrived. */
  isComplete: boolean;
  /** Why nothing is done any more that its tools ask for. */
  withdrawal: Withdrawal | undefined;
  /**
   * The connection that the reply came from is gone: results of its tools are not sent, and the next connection does not know
   * its words.
   */
  isDropped: boolean;
  /** The reply that is requested in its place on the next connection (FAIL-4). */
  successor: RealtimeReply | undefined;
}

export interface LostReply {
  readonly turnId: string;
  /** The service had begun it by itself. */
  readonly isUnasked: boolean;
  readonly hasRunTools: boolean;
}

export function makeReplyParts(agent: Agent, guardrails = new GuardrailHits()): ReplyParts {
  return {
    track: new Track(),
    words: new ReplyWords(agent),
    timeline: new TurnTimeline(),
    abort: new AbortController(),
    responses: new Set(),
    guardrails,
  };
}

export function openRealtimeReply(plan: ReplyPlan, parts: ReplyParts, lookUps?: AbortSignal): RealtimeReply {
  return {
    ...parts,
    plan,
    response: undefined,
    size: new ResponseSize(),
    isTold: false,
    isAsked: plan.origin === "service",
    isWritten: false,
    notice: undefined,
    awaitsNotice: false,
    answerFrom: undefined,
    cut: undefined,
    handoffs: [],
    calls: [],
    runningTools: [],
    instructions: undefined,
    greeting: undefined,
    toolRounds: 0,
    lookUps,
    ran: [],
    roundsSpent: false,
    owesWords: true,
    hasSucceeded: false,
    isAskedAgain: false,
    broken: undefined,
    timesCutOff: 0,
    effects: [],
    hasActed: false,
    isComplete: false,
    withdrawal: undefined,
    isDropped: false,
    successor: undefined,
  };
}

/** The service has made all of it, or has failed in the middle: what there is of it is heard. */
export function completeReply(
  reply: RealtimeReply,
  broken: VoiceError | undefined,
  { playout, onProgress }: Pick<RealtimeRepliesOptions, "playout" | "onProgress">,
): void {
  reply.broken = broken;
  reply.isComplete = true;
  reply.track.complete();
  playout.pump();
  onProgress();
}

/** With a filtered or empty answer the caller would hear silence. */
export function isSilent({ answerFrom, hasActed }: Pick<RealtimeReply, "answerFrom" | "hasActed">): boolean {
  return answerFrom === undefined && !hasActed;
}

/** TOOL-3: while tools run, it is requested when they have finished, and whatever the service begins unasked is not part of it. */
export function awaitsTools({
  plan,
  notice,
  runningTools,
}: Pick<RealtimeReply, "plan" | "notice" | "runningTools">): boolean {
  return notice === undefined && (plan.kind === "answer" || runningTools.length > 0);
}
