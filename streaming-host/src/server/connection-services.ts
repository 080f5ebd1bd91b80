/** What opening a connection needs of the host. */
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import type { CallControl } from "../calls/call-control.ts";
import type { ConversationArchiver } from "./conversation-archiver.ts";
import type { ConversationServices } from "./conversation-services.ts";

export interface ConnectionServices {
  readonly hostId: string;
  readonly conversations: ConversationServices;
  readonly archiver: ConversationArchiver;
  readonly settings: Settings;
  readonly state: State;
  /** Absent without a communication service. */
  readonly callControl?: Pick<CallControl, "hangUp" | "noteStream"> | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}
