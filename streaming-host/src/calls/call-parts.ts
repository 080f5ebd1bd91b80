/** What call control works with. Every step gets all of it, and takes what it needs. */
import type { CallAutomation } from "@voice/provider-kit/ports/call-automation";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { Broadcasts } from "@voice/shared/state/ports/broadcasts";
import type { Deadlines } from "@voice/shared/state/ports/work-queue";
import type { CallOperations } from "@voice/shared/state/ports/call-operations";
import type { CallPlaces } from "@voice/shared/state/records/call-places";
import type { CallStore } from "@voice/shared/state/ports/call-store";
import type { EventBus } from "@voice/shared/state/ports/event-bus";
import type { HostRegistry } from "@voice/shared/state/ports/host-registry";
import type { SessionStore } from "@voice/shared/state/ports/session-store";
import type { Announcer } from "./announce/announcer.ts";
import type { LanguageOfCall } from "./announce/call-language.ts";
import type { CallLedger } from "./call-ledger.ts";
import type { ReportWatch } from "./report-watch.ts";

export interface CallParts {
  readonly calls: CallStore;
  readonly callPlaces: CallPlaces;
  readonly operations: CallOperations;
  /** By when each call has to have a stream (MEDIA-8). */
  readonly streams: Deadlines;
  /** When the service has to be asked about each call (LOST-1). */
  readonly checks: Deadlines;
  readonly events: EventBus;
  /** Reaches the host that has a conversation. */
  readonly broadcasts: Broadcasts;
  readonly hosts: HostRegistry;
  readonly sessions: SessionStore;
  /** Writes to `calls`. */
  readonly ledger: CallLedger;
  readonly announcer: Announcer;
  readonly languageOf: LanguageOfCall;
  readonly automation: CallAutomation;
  readonly settings: Settings;
  /** Whether the service's reports reach us. */
  readonly reports: ReportWatch;
  /** A stream was requested again. */
  readonly onStreamAsked: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}
