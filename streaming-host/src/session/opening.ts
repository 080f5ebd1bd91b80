/** What an agent begins with on a transport that has just opened (HS-4, HS-5, HS-10). */
import type { Channel } from "@voice/shared/state/ports/session-store";
import type { Conversation } from "./conversation.ts";
import type { Opening } from "./turn/turn-events.ts";

export function openingOf(conversation: Conversation, resumed: boolean, channel: Channel): Exclude<Opening, "pick-up"> {
  const { lastSpeaker } = conversation;
  // On the phone, resuming means that another host has lost the call in the middle of it.
  if (resumed && channel === "phone" && lastSpeaker !== undefined)
    return lastSpeaker === "user" ? "ask-again" : "listen";
  return conversation.renderGreeting() === undefined ? "listen" : "greet";
}
