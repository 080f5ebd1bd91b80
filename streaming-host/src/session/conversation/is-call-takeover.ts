/** TAKE-1: resuming on the phone means that another host has lost the running call. */
import type { Transport } from "../../transports/transport.ts";
import type { Conversation } from "./conversation.ts";
import { findTakeoverPoint } from "./takeover-point.ts";

export function isCallTakeover(opened: {
  readonly resumed: boolean;
  readonly transport: Pick<Transport, "channel">;
  readonly conversation: Pick<Conversation, "knownHistory">;
}): boolean {
  if (!opened.resumed || opened.transport.channel !== "phone") return false;
  return findTakeoverPoint(opened.conversation.knownHistory).type !== "greet";
}
