/** The host's services that channels use. */
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import type { CallControl } from "../../calls/call-control.ts";
import type { FindCall } from "../../calls/known-calls.ts";
import type { Conversations } from "../conversations/conversations.ts";

export interface ChannelServices {
  readonly hostId: string;
  readonly conversations: Pick<Conversations, "connect">;
  readonly settings: Settings;
  readonly state: State;
  readonly findCall: FindCall;
  /** Absent if there is no communication service. */
  readonly callControl?: Pick<CallControl, "carryStream" | "hangUp" | "recordStream"> | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}
