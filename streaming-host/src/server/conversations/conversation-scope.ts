/** What one conversation on one transport has, from its opening to its end, whatever its mode. */
import type { Logger } from "@voice/shared/platform/logger";
import type { Conversation } from "../../session/conversation/conversation.ts";
import type { ConversationRequest } from "../../session/conversation/open-conversation.ts";
import type { SessionTelemetry } from "../../telemetry/session-telemetry.ts";
import type { Transport } from "../../transports/transport.ts";
import type { BoundCustomer } from "./open/bound-customer.ts";
import type { LiveCatalog } from "./open/session-catalogs.ts";
import type { SessionEnding } from "./open/session-ending.ts";
import type { Providers } from "./providers.ts";

export interface ConversationScope {
  readonly transport: Transport;
  readonly request: ConversationRequest;
  readonly conversation: Conversation;
  /** The conversation was begun on another connection. */
  readonly resumed: boolean;
  /** The previous host did not hand the conversation over, so that something may be lost. */
  readonly hasGap: boolean;
  /** For how long words of the caller may have been lost, in milliseconds (TAKE-3h, TAKE-3i); undefined: not known. */
  readonly gapMs: number | undefined;
  readonly customer: BoundCustomer;
  readonly catalog: LiveCatalog;
  /** What this conversation uses of them is counted. */
  readonly providers: Providers;
  readonly telemetry: SessionTelemetry;
  readonly ending: SessionEnding;
  /** Names the session and its call in each line. */
  readonly logger: Logger;
}
