/** What everything in a streaming host's process has. It is made once, when the host is put together, and passed on as it is. */
import { noAuditTrail, type AuditTrail } from "@voice/shared/audit/audit-trail";
import type { ConversationSettings } from "@voice/shared/config/conversation-settings";
import { partsOf, type Parts } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { UpstreamFailure } from "@voice/shared/state/ports/host-registry";
import type { State } from "@voice/shared/state/ports/state";
import { noTelemetry, type Telemetry } from "@voice/shared/telemetry/telemetry";

export interface Host {
  readonly id: string;
  /** The settings as they were when the host started. */
  readonly settings: Settings;
  /** Which implementation of each part those settings name. */
  readonly parts: Parts;
  /** The settings that a conversation reads when it begins. */
  readonly settingsNow: () => ConversationSettings;
  readonly state: State;
  readonly telemetry: Telemetry;
  /** Shown to operators. */
  readonly failures: { note(failure: Omit<UpstreamFailure, "atMs">): void };
  readonly auditTrail: AuditTrail;
  readonly random: () => number;
  readonly clock: Clock;
  readonly logger: Logger;
}

type Necessary = "id" | "settings" | "state" | "clock" | "logger";

/** Makes a host of what is given. By default its settings do not change, and it reports no telemetry. */
export function createHost(given: Pick<Host, Necessary> & Partial<Host>): Host {
  return {
    id: given.id,
    settings: given.settings,
    parts: given.parts ?? partsOf(given.settings),
    settingsNow: given.settingsNow ?? (() => given.settings),
    state: given.state,
    telemetry: given.telemetry ?? noTelemetry,
    failures: given.failures ?? { note: () => undefined },
    auditTrail: given.auditTrail ?? noAuditTrail,
    random: given.random ?? Math.random,
    clock: given.clock,
    logger: given.logger,
  };
}
