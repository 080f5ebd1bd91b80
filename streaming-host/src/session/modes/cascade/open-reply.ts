/** A reply of the cascade from its preparation to its last heard sample. */
import type { Reply } from "../../../pipeline/cascade/reply.ts";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { HostEffect } from "../../conversation/host-effects.ts";
import type { AgentSegment } from "../../output/spoken-parts.ts";
import { TurnTimeline } from "../../output/turn-timeline.ts";
import type { OpenActivity } from "../../output/turn-activities.ts";
import type { Track } from "../../playout/track.ts";
import type { ReplyPlan } from "../../turn/turn-effects.ts";

export interface OpenReply {
  readonly timeline: TurnTimeline;
  /** The agent that has the floor; the last one, after a handoff. */
  agent: string;
  reply: Reply | undefined;
  /** When it was begun before its turn was over; undefined where it was not. */
  readonly preparedAtMs: number | undefined;
  /** Known once the turn machine has begun it. */
  plan: ReplyPlan | undefined;
  track: Track | undefined;
  /** Who spoke from where on; more than one after a handoff. */
  readonly segments: AgentSegment[];
  /** The sample of the track at which its own words begin, after the fillers. Undefined: there are none yet. */
  answerFrom: number | undefined;
  /** From its first clause to its last audio. */
  synthesis: OpenActivity | undefined;
  /** The model did not bring it to an end. */
  cut: HistoryItem["cut"];
  /** For when it was heard: the caller is told where the call goes before it goes there. */
  readonly effects: HostEffect[];
}

export function openReply(agent: string, preparedAtMs?: number): OpenReply {
  return {
    timeline: new TurnTimeline(),
    agent,
    reply: undefined,
    preparedAtMs,
    plan: undefined,
    track: undefined,
    segments: [],
    answerFrom: undefined,
    synthesis: undefined,
    cut: undefined,
    effects: [],
  };
}
