/** Reports to telemetry what the peer does not see. All calls are per event, none per frame. */
import type { VoiceError } from "@voice/shared/platform/errors";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { CancelReason, ReplyKind, TurnEffect } from "../turn/turn-effects.ts";
import type { TurnActivity } from "./turn-activities.ts";
import type { SilentPart } from "./silent-part.ts";

/** A reply was heard in full, or the reason why not. */
export type ReplyEnding = "complete" | CancelReason;

export interface EndedReply {
  readonly turnId: string;
  readonly kind: ReplyKind;
  readonly agent: string;
  readonly ending: ReplyEnding;
  readonly cut: HistoryItem["cut"];
  /** When the caller stopped, on the session clock; undefined if the agent spoke unprompted. */
  readonly anchorMs: number | undefined;
  /** On the session clock and in wall-clock time. */
  readonly endMs: number;
  readonly endWallMs: number;
  /** Milliseconds relative to the anchor; empty without one. */
  readonly marks: Readonly<Record<string, number>>;
  readonly activities: readonly TurnActivity[];
}

export type UpstreamPart = "recogniser" | "model" | "voice" | "realtime-model" | "transcription";

export interface SessionProbe {
  /** False if timings of models and tools are not needed. */
  readonly wantsActivities: boolean;
  decided(effect: TurnEffect): void;
  replied(reply: EndedReply): void;
  upstreamFailed(part: UpstreamPart, error: Pick<VoiceError, "code" | "reason">): void;
  /** RT-1: the realtime service has rejected a part of the settings. */
  settingsRepaired(repair: { readonly part: string; readonly how: "left_out" | "replaced" }): void;
  /** FAIL-1, FAIL-3: something hangs without reporting an error. */
  silent(part: SilentPart["part"], error: Pick<VoiceError, "code" | "reason">): void;
}
