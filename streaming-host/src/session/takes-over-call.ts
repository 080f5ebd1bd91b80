/** HS-7: on the phone, resuming means that another host has lost the call in the middle of it. */
import type { Transport } from "../transports/transport.ts";
import type { Conversation } from "./conversation.ts";

export function takesOverCall(opened: {
  readonly resumed: boolean;
  readonly transport: Pick<Transport, "channel">;
  readonly conversation: Pick<Conversation, "lastSpeaker">;
}): boolean {
  return opened.resumed && opened.transport.channel === "phone" && opened.conversation.lastSpeaker !== undefined;
}
