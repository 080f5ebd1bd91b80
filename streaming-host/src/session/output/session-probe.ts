/** What telemetry wants to know of a session beyond what its peer is told. Every call is per event, none per frame. */
import type { ErrorCode } from "@voice/shared/platform/errors";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { CancelReason, ReplyKind, TurnEffect } from "../turn/turn-effects.ts";
import type { TurnActivity } from "./turn-activities.ts";

/** Heard to its end, or why it was not. */
export type ReplyEnding = "complete" | CancelReason;

export interface EndedReply {
  readonly turnId: string;
  readonly kind: ReplyKind;
  readonly agent: string;
  readonly ending: ReplyEnding;
  readonly cut: HistoryItem["cut"];
  /** On the session clock: the moment the caller stopped; undefined where the agent spoke of its own accord. */
  readonly anchorMs: number | undefined;
  /** On the session clock, and on the wall. */
  readonly endMs: number;
  readonly endWallMs: number;
  /** After the anchor; empty where there is none. */
  readonly marks: Readonly<Record<string, number>>;
  readonly activities: readonly TurnActivity[];
}

export type UpstreamPart = "recogniser" | "model" | "voice" | "realtime-model";

export interface SessionProbe {
  /** False: nobody reads what the model and the tools took. */
  readonly wantsActivities: boolean;
  decided(effect: TurnEffect): void;
  replied(reply: EndedReply): void;
  upstreamFailed(part: UpstreamPart, code: ErrorCode): void;
}

export const noProbe: SessionProbe = {
  wantsActivities: false,
  decided: () => undefined,
  replied: () => undefined,
  upstreamFailed: () => undefined,
};
