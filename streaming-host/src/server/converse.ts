/** A conversation on a transport that is ready for it, with what this host gives to each. */
import type { ConversationRequest } from "../session/open-conversation.ts";
import type { Transport } from "../transports/transport.ts";
import type { ConnectionServices } from "./connection-services.ts";
import { connectConversation } from "./conversation-connection.ts";
import type { ConversationConnection } from "./conversation-connection.ts";

export interface Opening {
  readonly transport: Transport;
  readonly request: ConversationRequest;
  readonly onEnded?: (reason: string) => void;
  readonly longestMs?: number;
}

export function converse(
  opening: Opening,
  services: ConnectionServices,
  onClosed: () => void,
): Promise<ConversationConnection> {
  const { archiver, clock, logger, conversations } = services;
  const { start: startSession, checkStart } = conversations;
  const onLeft = (sessionId: string): void => archiver.keep(sessionId);
  return connectConversation({ ...opening, clock, logger, startSession, checkStart, onLeft, onClosed });
}
