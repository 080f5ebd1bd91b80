/** The last words to the store and to the socket. */
import type { CloseReason } from "../../transports/close-reasons.ts";
import type { Transport } from "../../transports/transport.ts";
import type { Conversation } from "./conversation.ts";

/**
 * A phone call that is left because this host goes away goes on elsewhere, and there with what is stored: the socket,
 * whose end brings the call to the next host, is closed after the last write (DRAIN-3).
 */
export async function leaveConversation(
  conversation: Conversation,
  transport: Transport,
  { reason, isQuiet }: { readonly reason: CloseReason | undefined; readonly isQuiet: boolean },
): Promise<void> {
  if (reason === "draining" && transport.channel === "phone") {
    conversation.release({ isComplete: isQuiet });
    await conversation.flush();
    transport.close(reason);
    return;
  }
  conversation.end();
  if (reason !== undefined) transport.close(reason);
  await conversation.flush();
}
