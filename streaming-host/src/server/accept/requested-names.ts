/** HS-2: what a client names, which has to exist before a conversation begins with it. */
import type { ConversationRequest } from "../../session/conversation/open-conversation.ts";
import type { SessionConfig } from "../../transports/transport.ts";

export type RequestedNames = Pick<ConversationRequest, "caller" | "sessionId" | "scenario" | "agent" | "profileId">;

/** Rejects with a `BadRequestError` that says which of them does not exist. */
export type CheckNames = (names: RequestedNames, config?: SessionConfig) => Promise<void>;
