/** A write that waits until its store is back. By then its session may be gone, and another one may have the id. */
import type { SessionPatch, TurnAppend } from "./ports/session-store.ts";

export type WaitingWrite =
  | {
      readonly type: "update";
      readonly sessionId: string;
      /** When the session was created that it is for. */
      readonly createdAtMs: number;
      readonly patch: SessionPatch;
    }
  | { readonly type: "append"; readonly sessionId: string; readonly turn: TurnAppend };
