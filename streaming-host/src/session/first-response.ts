/**
 * What a realtime model is asked for first. It has been told the history: after a takeover the caller's last words are
 * answered, with what the tools have done for them (TAKE-2).
 */
import { askedEffects } from "../pipeline/asked-effects.ts";
import type { Conversation } from "./conversation.ts";
import type { HostEffect } from "./host-effects.ts";
import { realtimeContinuation } from "./realtime-settings.ts";

export interface FirstResponse {
  /** Undefined: the agent waits for the caller. */
  readonly response: { readonly say?: string; readonly instructions?: string } | undefined;
  /** What was promised on another host. */
  readonly effects: readonly HostEffect[];
  /** The caller waits for it. */
  readonly isAnswer: boolean;
}

export function firstResponse(
  conversation: Conversation,
  how: { readonly takesOver: boolean; readonly hasBegun: boolean; readonly wallNowMs: number },
): FirstResponse {
  const goingOn = how.takesOver ? conversation.takeOver(how.wallNowMs) : { type: "greet" as const };
  if (goingOn.type === "listen") return { response: undefined, effects: goingOn.owed, isAnswer: false };
  if (goingOn.type === "answer") {
    const since = conversation.owedTurn?.since ?? [];
    const instructions = realtimeContinuation(since);
    return {
      response: instructions === undefined ? {} : { instructions },
      effects: askedEffects(since),
      isAnswer: true,
    };
  }
  // What was typed while the connection opened is in the history, and wants an answer more than a greeting.
  if (how.hasBegun) return { response: {}, effects: [], isAnswer: true };
  const say = conversation.renderGreeting();
  return { response: say === undefined ? undefined : { say }, effects: [], isAnswer: false };
}
