/** One reply of a realtime model while it is open, and what it takes to run it. */
import type { Clock } from "@voice/shared/platform/clock";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ToolRunner } from "../../../pipeline/cascade/agent-loop.ts";
import type { AnswerCut } from "../../../pipeline/cut-answers.ts";
import { createGuardedTranscript } from "../../../pipeline/realtime/guarded-transcript.ts";
import type { GuardedTranscript } from "../../../pipeline/realtime/guarded-transcript.ts";
import { SpokenItems } from "../../../pipeline/realtime/spoken-items.ts";
import type { ModelToolCall } from "@voice/provider-kit/ports/language-model";
import type { RealtimeSession } from "@voice/provider-kit/ports/realtime-model";
import type { SessionProbe } from "../../output/session-probe.ts";
import type { OpenActivity } from "../../output/turn-activities.ts";
import type { SessionNotice } from "../../../transports/transport.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import type { HostEffect } from "../../conversation/host-effects.ts";
import type { Playout } from "../../playout/playout.ts";
import { Track } from "../../playout/track.ts";
import type { SessionRecorder } from "../../recording/session-recorder.ts";
import { TurnTimeline } from "../../output/turn-timeline.ts";
import type { ReplyPlan } from "../../turn/turn-effects.ts";
import type { RealtimeFillers } from "./realtime-fillers.ts";

export interface RealtimeRepliesOptions {
  readonly conversation: Conversation;
  readonly playout: Playout;
  readonly recorder: SessionRecorder;
  /** The words of a reply of that kind. */
  readonly announcement: string | undefined;
  readonly clock: Clock;
  readonly tools: ToolRunner;
  readonly sampleRateHz: number;
  readonly notify: (notice: SessionNotice) => void;
  readonly probe: SessionProbe;
  readonly onProgress: () => void;
  /** Runs on the open connection. False while there is none. */
  readonly link: (action: (session: RealtimeSession) => void) => boolean;
  readonly onAgentChanged: () => void;
  readonly onEffect: (effect: HostEffect) => void;
  /** The model gave up on a reply, had nothing to say, or cannot be asked any more. */
  readonly onFailed: (turnId: string) => void;
  /** The model has its first words for this reply. */
  readonly onWritten: (turnId: string) => void;
  /** The model did not bring its answer to an end. */
  readonly onCut: (turnId: string, cut: AnswerCut) => void;
  /** Speaks what bridges the wait for the model (FILL-1). */
  readonly fillers: RealtimeFillers;
  /** A guardrail stops the reply and has words of its own. */
  readonly onStopped: (turnId: string, text: string) => void;
}

export interface RealtimeReply {
  readonly plan: ReplyPlan;
  readonly track: Track;
  readonly spoken: SpokenItems;
  readonly timeline: TurnTimeline;
  readonly abort: AbortController;
  /** The service's responses that are part of it; a late event of any other is nobody's. */
  readonly responses: Set<string>;
  /** The service is making one. */
  response: OpenActivity | undefined;
  /** The model knows that it is wanted. */
  isAsked: boolean;
  /** The model has its first words. */
  isWritten: boolean;
  /** "One moment, please" is being said while tools run; the answer to them must wait for its end. */
  notice: PromiseWithResolvers<undefined> | undefined;
  /** Where in the track the model's own audio begins; undefined before. */
  answerFrom: number | undefined;
  /** The model was cut off (MODEL-1). */
  cut: HistoryItem["cut"];
  agent: string;
  handoffs: number;
  transcript: GuardedTranscript;
  calls: ModelToolCall[];
  /** For when it was heard: the caller is told where the call goes before it goes there (EFFECT-2). */
  readonly effects: HostEffect[];
  /** The tools have done something; nothing needs to be said about it. */
  hasActed: boolean;
  /** All of it has arrived. */
  isComplete: boolean;
  /** The connection that asked for its tools is gone; nobody there waits for their results. */
  isDropped: boolean;
}

export function openRealtimeReply(plan: ReplyPlan, { agent }: Pick<Conversation, "agent">): RealtimeReply {
  return {
    plan,
    track: new Track(plan.turnId),
    spoken: new SpokenItems(),
    timeline: new TurnTimeline(),
    abort: new AbortController(),
    responses: new Set(),
    response: undefined,
    isAsked: plan.origin === "service",
    isWritten: false,
    notice: undefined,
    answerFrom: undefined,
    cut: undefined,
    agent: agent.name,
    handoffs: 0,
    transcript: createGuardedTranscript(agent.guardrails ?? [], agent.speech.language),
    calls: [],
    effects: [],
    hasActed: false,
    isComplete: false,
    isDropped: false,
  };
}

/** A filtered or empty answer would leave the caller listening to nothing. */
export function isSilent({ answerFrom, hasActed }: RealtimeReply): boolean {
  return answerFrom === undefined && !hasActed;
}
