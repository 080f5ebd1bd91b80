/** HS-2: the names in a client's request, which must exist before a conversation begins. */
import type { ConversationRequest } from "../../session/conversation/open-conversation.ts";
import type { SessionConfig } from "../../transports/transport.ts";

export type RequestedNames = Pick<ConversationRequest, "caller" | "sessionId" | "scenario" | "agent" | "profileId">;

/** Rejects with a `BadRequestError` that says which name does not exist. */
export type CheckNames = (names: RequestedNames, config?: SessionConfig) => Promise<void>;
