/** The final writes to the store and the socket. */
import type { Transport } from "../../transports/transport.ts";
import type { SessionEnd } from "../modes/live-session.ts";
import type { Conversation } from "./conversation.ts";

/**
 * When this host drains, its phone calls continue on another host from what is stored. Closing the socket hands the
 * call over, so it is closed only after the last write (DRAIN-3). A platform's flow goes on when it is told that the
 * conversation is over, and may read it or continue it at once (HOOK-15).
 */
export async function leaveConversation(
  conversation: Conversation,
  transport: Transport,
  { reason, isQuiet }: { readonly reason: SessionEnd | undefined; readonly isQuiet: boolean },
): Promise<void> {
  const { channel } = transport;
  const isHandedOver = reason === "draining" && channel === "phone";
  if (isHandedOver) conversation.release({ isComplete: isQuiet });
  else conversation.end();
  if (isHandedOver || channel === "telephony") await conversation.flush();
  if (reason !== undefined && reason !== "reset") transport.close(reason);
  await conversation.flush();
}
