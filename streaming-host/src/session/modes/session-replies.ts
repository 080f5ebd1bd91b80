import type { SilentPart } from "../output/silent-part.ts";
import type { CancelReason, ReplyPlan } from "../turn/turn-effects.ts";

/** Generates, plays and stores the replies that the turn machine requests. */
export interface SessionReplies {
  /** From a reply's beginning to its last heard sample. */
  readonly isReplying: boolean;
  /** What the caller waits for. */
  readonly silentPart: SilentPart;
  /** FAIL-3: says a filler to a caller who waits for a tool. False if they wait for something else, which has failed. */
  fillPause(): boolean;
  begin(plan: ReplyPlan): void;
  cancel(reason: CancelReason): void;
  onAudible(): void;
  /** `text`: the track's whole text. */
  onDrained(text: string): void;
  close(): void;
}
