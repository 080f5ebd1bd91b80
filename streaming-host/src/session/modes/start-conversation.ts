/** How a session of a conversation begins: its first words, or, after a takeover, the middle of a call (TAKE-1), or what a client is still owed (HS-4a). */
import type { Transport } from "../../transports/transport.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { findReturnPoint, findTakeoverPoint, firstMoveAt } from "../conversation/takeover-point.ts";
import type { TakeoverPoint } from "../conversation/takeover-point.ts";
import type { TimelessTurnEvent } from "../turn/turn-events.ts";
import type { CallEffects } from "./call-effects.ts";

export interface Beginning {
  readonly conversation: Conversation;
  readonly channel: Transport["channel"];
  readonly resumed: boolean;
  readonly hasAnnouncement: boolean;
  readonly hasGap: boolean;
  /** For how long words of the caller may have been lost, in milliseconds (TAKE-3h, TAKE-3i); undefined: not known. */
  readonly gapMs: number | undefined;
  readonly dispatch: (event: TimelessTurnEvent) => void;
  readonly callEffects: Pick<CallEffects, "request">;
}

export function startConversation(nowMs: number, begun: Beginning): void {
  const { conversation, channel, resumed, hasAnnouncement, hasGap, gapMs, dispatch, callEffects } = begun;
  const takesOver = resumed && channel === "phone";
  const point = takesOver ? findTakeoverPoint(conversation.knownHistory) : returnPoint(nowMs, begun);
  // PERSON-8: the person who had taken over on another host, or before the caller's connection broke, is still there.
  if (conversation.record.person !== undefined) dispatch({ type: "person-joined" });
  dispatch({
    type: "session-started",
    announces: hasAnnouncement,
    firstMove: firstMoveAt(point, { hasGreeting: conversation.renderGreeting() !== undefined }),
    hasGap: takesOver && hasGap,
    ...(takesOver && hasGap && gapMs !== undefined && { gapMs: Math.round(gapMs) }),
  });
  if (point.type === "listen") for (const effect of point.promised) callEffects.request(effect);
}

/**
 * Who comes by a telephony platform is greeted: that is another call, and what was asked in the one before is not what they have just heard
 * themselves say.
 */
function returnPoint(nowMs: number, { conversation, channel }: Beginning): TakeoverPoint {
  if (channel === "telephony") return { type: "greet" };
  return findReturnPoint(conversation.knownHistory, nowMs);
}
