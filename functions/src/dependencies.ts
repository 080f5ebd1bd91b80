/** The dependencies of triggers and services. `compose.ts` builds them; all other code only uses them. */
import type { AuditTrail } from "@voice/shared/audit/audit-trail";
import type { KeysProblem } from "@voice/shared/auth/published-keys";
import type { Caller } from "@voice/shared/auth/caller";
import type { ConversationArchive } from "@voice/shared/archive/conversation-archive";
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { KnownTools } from "@voice/shared/catalog/known-tools";
import type { ReleasedCatalogs } from "@voice/shared/catalog/released-catalogs";
import type { ConfigurationProvider } from "@voice/shared/config/configuration-provider";
import type { Settings } from "@voice/shared/config/settings";
import type { Access } from "@voice/shared/contracts/http/endpoint";
import type { WatchAccess } from "@voice/shared/live-relay/watch-access";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { OutageLog } from "@voice/shared/platform/outage-log";
import type { SharedQuota } from "@voice/shared/state/shared-quota";
import type { RecordingStore } from "@voice/shared/recordings/recording-store";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import type { State } from "@voice/shared/state/ports/state";
import type { CallRequests } from "./services/call-requests.ts";

/** The part of a request that proves who sent it. */
export interface Credentials {
  readonly headers: Headers;
  readonly query: URLSearchParams;
  /** The form of an endpoint whose forms are signed. */
  readonly form?: { readonly target: string; readonly fields: URLSearchParams } | undefined;
}

export type OnIdentified = (caller: Caller) => void;

/**
 * Resolves to the caller; rejects with `unauthorized`, `forbidden` or `dependency_not_ready`. `onIdentified` is called with a caller who has
 * proved who they are, before they are refused for a missing role.
 */
export type Authorise = (access: Access, credentials: Credentials, onIdentified?: OnIdentified) => Promise<Caller>;

export interface Dependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly configuration: ConfigurationProvider;
  /** The configuration's snapshot for this request. */
  readonly settings: Settings;
  readonly state: State;
  /** The catalog as its files define it, without published changes. */
  readonly catalog: Catalog;
  /** With what was published over it. */
  readonly releases: Pick<ReleasedCatalogs, "deployed" | "ofSession">;
  readonly knownTools: KnownTools;
  readonly callRequests: CallRequests;
  /** Shared by everything that reports the streaming hosts' figures, or reports without them while the store is unreachable. */
  readonly heartbeatReading: OutageLog;
  /** Where recordings are kept; undefined where nothing can be recorded. Made at the first call. */
  readonly recordings: () => Promise<RecordingStore | undefined>;
  /** Where ended conversations are kept; undefined where they are not. Made at the first call. */
  readonly archive: () => Promise<ConversationArchive | undefined>;
  /** Lets dashboards connect to the live relay outside; undefined where there is none. Made at the first call. */
  readonly watchAccess: () => Promise<WatchAccess | undefined>;
  readonly authorise: Authorise;
  /** Why the keys of callers' tokens cannot be fetched, if they cannot. */
  readonly keysProblem: () => KeysProblem | undefined;
  readonly auditTrail: AuditTrail;
  /** Whether the console's own address has simulated phones, as `npm start` has. */
  readonly hasBrowserPhones: boolean;
  /** Counts the conversations that each caller has begun or reset. */
  readonly sessionQuota: SharedQuota;
  /** Counts the bytes that each caller has stored. */
  readonly storageQuota: SharedQuota;
}
