/** One reply of a realtime model while it is open, and what it takes to run it. */
import type { Clock } from "@voice/shared/platform/clock";
import type { ToolRunner } from "../pipeline/cascade/agent-loop.ts";
import type { GuardedTranscript } from "../pipeline/realtime/guarded-transcript.ts";
import type { SpokenItems } from "../pipeline/realtime/spoken-items.ts";
import type { ModelToolCall } from "../providers/ports/language-model.ts";
import type { RealtimeSession } from "../providers/ports/realtime-model.ts";
import type { SessionNotice } from "../transports/transport.ts";
import type { Conversation } from "./conversation.ts";
import type { HostEffect } from "./host-effects.ts";
import type { Playout } from "./playout/playout.ts";
import type { Track } from "./playout/track.ts";
import type { SessionRecorder } from "./recording/session-recorder.ts";
import type { TurnTimeline } from "./turn-timeline.ts";

export interface RealtimeRepliesOptions {
  readonly conversation: Conversation;
  readonly playout: Playout;
  readonly recorder: SessionRecorder;
  /** What is heard now are the service's words, not the agent's. */
  readonly isAnnouncing: () => boolean;
  readonly clock: Clock;
  readonly tools: ToolRunner;
  readonly sampleRateHz: number;
  readonly notify: (notice: SessionNotice) => void;
  readonly onProgress: () => void;
  readonly link: (action: (session: RealtimeSession) => void) => void;
  readonly onAgentChanged: () => void;
  readonly onEffect: (effect: HostEffect) => void;
  /** The model gave up on a reply, or had nothing to say; what was heard of it is stored. */
  readonly onFailed: () => void;
}

export interface RealtimeReply {
  readonly turnId: string;
  readonly track: Track;
  readonly spoken: SpokenItems;
  readonly timeline: TurnTimeline;
  readonly anchorMs: number;
  readonly abort: AbortController;
  /** "One moment, please" is being said while tools run; the answer to them must wait for its end. */
  notice: PromiseWithResolvers<undefined> | undefined;
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

/** A filtered or empty answer would leave the caller listening to nothing. */
export function isSilent({ track, hasActed }: RealtimeReply): boolean {
  return track.length === 0 && !hasActed;
}
