/** How a session of a conversation begins: its first words, or, after a takeover, the middle of a call (TAKE-1), or what a client is still owed (HS-4a). */
import type { Transport } from "../../transports/transport.ts";
import type { OpenedConversation } from "../conversation/open-conversation.ts";
import { findReturnPoint, findTakeoverPoint, firstMoveAt } from "../conversation/takeover-point.ts";
import type { TakeoverPoint } from "../conversation/takeover-point.ts";
import type { TimelessTurnEvent } from "../turn/turn-events.ts";
import type { CallEffects } from "./call-effects.ts";

interface Beginning extends OpenedConversation {
  readonly channel: Transport["channel"];
  readonly hasAnnouncement: boolean;
  readonly dispatch: (event: TimelessTurnEvent) => void;
  readonly callEffects: Pick<CallEffects, "request">;
}

export function startConversation(nowMs: number, begun: Beginning): void {
  const { conversation, channel, resumed, hasAnnouncement, lostMs, dispatch, callEffects } = begun;
  const takesOver = resumed && channel === "phone";
  const point = takesOver ? findTakeoverPoint(conversation.knownHistory) : returnPoint(nowMs, begun);
  // PERSON-8: the person who had taken over on another host, or before the caller's connection broke, is still there.
  if (conversation.record.person !== undefined) dispatch({ type: "person-joined" });
  dispatch({
    type: "session-started",
    announces: hasAnnouncement,
    firstMove: firstMoveAt(point, { hasGreeting: conversation.renderGreeting() !== undefined }),
    hasGap: takesOver && lostMs !== undefined,
    ...(takesOver && typeof lostMs === "number" && { gapMs: Math.round(lostMs) }),
  });
  if (point.type === "listen") for (const effect of point.promised) callEffects.request(effect);
}

/**
 * A caller who comes through a telephony platform is always greeted: this is another call, so they do not remember the words of the one
 * before as just spoken.
 */
function returnPoint(nowMs: number, { conversation, channel }: Beginning): TakeoverPoint {
  if (channel === "telephony") return { type: "greet" };
  return findReturnPoint(conversation.knownHistory, nowMs);
}
