/** What opening a connection needs of the host. */
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import type { ConversationServices } from "./conversation-services.ts";

export interface ConnectionServices {
  readonly hostId: string;
  readonly conversations: ConversationServices;
  readonly settings: Settings;
  readonly state: State;
  /** Ends the call of a conversation that has come to its end. Absent without a communication service. */
  readonly hangUp?: ((callConnectionId: string, reason: string) => void) | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}
