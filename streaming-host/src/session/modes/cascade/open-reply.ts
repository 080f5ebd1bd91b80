/** A reply of the cascade from its preparation to its last heard sample. */
import type { VoiceError } from "@voice/shared/platform/errors";
import type { ModelToolCall } from "@voice/provider-kit/ports/language-model";
import type { Reply } from "../../../pipeline/cascade/reply.ts";
import type { Withdrawal } from "@voice/shared/conversation/withdrawn-effects";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { TakenHandoff } from "../../conversation/taken-handoff.ts";
import type { HostEffect } from "../../conversation/host-effects.ts";
import type { AgentSegment } from "../../output/spoken-parts.ts";
import { TurnTimeline } from "../../output/turn-timeline.ts";
import type { OpenActivity } from "../../output/turn-activities.ts";
import { Track } from "../../playout/track.ts";
import type { ReplyPlan } from "../../turn/turn-effects.ts";
import { GuardrailHits } from "../../../pipeline/guardrail-hit.ts";

export interface OpenReply {
  readonly timeline: TurnTimeline;
  /** The active agent; after a handoff the last one. */
  agent: string;
  reply: Reply | undefined;
  /** When it was prepared, if that was before the turn ended. */
  preparedAtMs: number | undefined;
  /** Set once the turn machine has begun the reply. */
  plan: ReplyPlan | undefined;
  readonly track: Track;
  /** Which agent speaks from which offset on; more than one after a handoff. */
  readonly segments: AgentSegment[];
  /** The sample of the track at which its own words begin, after any fillers. Undefined until then. */
  answerFrom: number | undefined;
  /** Names of the tools that run now. */
  runningTools: readonly string[];
  /** The calls among them, if all are look-ups, which may go on without this reply (TOOL-10). */
  lookingUp: readonly ModelToolCall[];
  /** From its first clause to its last audio. */
  synthesis: OpenActivity | undefined;
  /** The model did not complete it. */
  cut: HistoryItem["cut"];
  readonly guardrails: GuardrailHits;
  /** The model failed in mid-answer, which is reported when what it had written has been heard. */
  broken: VoiceError | undefined;
  /** The words of a broken answer, once they were heard. */
  heardOfBroken: string | undefined;
  /** Effects for after the reply was heard: a transfer is announced before it happens. */
  readonly effects: HostEffect[];
  /** Those of the reply, in their order. */
  readonly handoffs: TakenHandoff[];
  /** Why nothing is done any more that its tools ask for. */
  withdrawal: Withdrawal | undefined;
}

export function openReply(agent: string): OpenReply {
  return {
    timeline: new TurnTimeline(),
    agent,
    reply: undefined,
    preparedAtMs: undefined,
    plan: undefined,
    track: new Track(),
    segments: [],
    answerFrom: undefined,
    runningTools: [],
    lookingUp: [],
    synthesis: undefined,
    cut: undefined,
    guardrails: new GuardrailHits(),
    broken: undefined,
    heardOfBroken: undefined,
    effects: [],
    handoffs: [],
    withdrawal: undefined,
  };
}
