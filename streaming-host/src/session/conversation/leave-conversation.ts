/** The final writes to the store and the socket. */
import type { Transport } from "../../transports/transport.ts";
import type { SessionEnd } from "../modes/live-session.ts";
import type { Conversation } from "./conversation.ts";

/**
 * When this host drains, its phone calls continue on another host from what is stored. Closing the socket hands the
 * call over, so it is closed only after the last write (DRAIN-3).
 */
export async function leaveConversation(
  conversation: Conversation,
  transport: Transport,
  { reason, isQuiet }: { readonly reason: SessionEnd | undefined; readonly isQuiet: boolean },
): Promise<void> {
  if (reason === "draining" && transport.channel === "phone") {
    conversation.release({ isComplete: isQuiet });
    await conversation.flush();
    transport.close(reason);
    return;
  }
  conversation.end();
  if (reason !== undefined && reason !== "reset") transport.close(reason);
  await conversation.flush();
}
