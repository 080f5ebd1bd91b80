/** What one conversation on one transport has, from its opening to its end, whatever its mode. */
import type { Logger } from "@voice/shared/platform/logger";
import type { ConversationRequest, OpenedConversation } from "../../session/conversation/open-conversation.ts";
import type { SessionTelemetry } from "../../telemetry/session-telemetry.ts";
import type { Transport } from "../../transports/transport.ts";
import type { BoundCustomer } from "./open/bound-customer.ts";
import type { LiveCatalog } from "./open/session-catalogs.ts";
import type { SessionEnding } from "./open/session-ending.ts";
import type { Providers } from "./providers.ts";

export interface ConversationScope extends OpenedConversation {
  readonly transport: Transport;
  readonly request: ConversationRequest;
  readonly customer: BoundCustomer;
  readonly catalog: LiveCatalog;
  /** The host's providers, metered: what this conversation uses of them is counted. */
  readonly providers: Providers;
  readonly telemetry: SessionTelemetry;
  readonly ending: SessionEnding;
  /** Names the session and its call in each line. */
  readonly logger: Logger;
}
