/** The final writes to the store and the socket. */
import type { Clock } from "@voice/shared/platform/clock";
import { pause } from "@voice/shared/platform/pause";
import type { Transport } from "../../transports/transport.ts";
import type { SessionEnd } from "../modes/live-session.ts";
import type { Conversation } from "./conversation.ts";

/** How long a platform's caller may wait in silence for a store that does not answer. */
const longestWaitMs = 1000;

/**
 * When this host drains, its phone calls continue on another host from what is stored. Closing the socket hands the
 * call over, so it is closed only after the last write (DRAIN-3). A platform's flow goes on when it is told that the
 * conversation is over, and may read it or continue it at once (HOOK-15).
 */
export async function leaveConversation(
  conversation: Conversation,
  transport: Transport,
  {
    reason,
    isQuiet,
    clock,
  }: { readonly reason: SessionEnd | undefined; readonly isQuiet: boolean; readonly clock: Clock },
): Promise<void> {
  const { channel } = transport;
  const isHandedOver = reason === "draining" && channel === "phone";
  if (isHandedOver) conversation.release({ isComplete: isQuiet });
  else conversation.end();
  if (isHandedOver) await conversation.flush();
  else if (channel === "telephony") await flushFor(longestWaitMs, conversation, clock);
  if (reason !== undefined && reason !== "reset") transport.close(reason);
  await conversation.flush();
}

async function flushFor(ms: number, conversation: Conversation, clock: Clock): Promise<void> {
  const isStored = new AbortController();
  await Promise.race([conversation.flush(), pause(clock, ms, isStored.signal)]);
  isStored.abort();
}
