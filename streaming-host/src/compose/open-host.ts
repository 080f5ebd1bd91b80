/**
 * Opens what outlives the conversations of a process: its `Host`, whose state lets them continue while the store is away and relays what they say
 * live, and the storage of recordings, of ended conversations and of the audit trail.
 */
import type { ConversationArchive } from "@voice/shared/archive/conversation-archive";
import { createArchive } from "@voice/shared/archive/create-archive";
import { openAuditTrail } from "@voice/shared/audit/open-audit-trail";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import type { VoiceError } from "@voice/shared/platform/errors";
import { createId } from "@voice/shared/platform/ids";
import { createRecordingStore } from "@voice/shared/recordings/create-recording-store";
import type { RecordingStore } from "@voice/shared/recordings/recording-store";
import { BufferedSessionStore } from "@voice/shared/state/buffered-session-store";
import type { State } from "@voice/shared/state/ports/state";
import { noTelemetry, type Telemetry } from "@voice/shared/telemetry/telemetry";
import { createHost, type Host } from "../host/host.ts";
import { recallState, type FindCall } from "../server/host/recalled-state.ts";
import { relayLiveUpdates, type RelayedLiveUpdates } from "../server/host/relayed-live-updates.ts";
import { createStateProbe } from "../server/host/state-probe.ts";
import { RecentFailures } from "../telemetry/recent-failures.ts";
import { composeLiveRelay } from "./providers.ts";

type Given = Pick<Host, "settings" | "state" | "clock" | "logger"> & Partial<Pick<Host, "settingsNow">>;

export interface OpenHost {
  readonly host: Host;
  /** The state as other hosts see it: what waits on this host for the store is not there yet. */
  readonly stored: State;
  readonly failures: RecentFailures;
  /** Whether the store can be reached now. */
  readonly hasState: () => Promise<boolean>;
  readonly sessions: BufferedSessionStore;
  readonly findCall: FindCall;
  /** Undefined without a relay. */
  readonly relayed: RelayedLiveUpdates | undefined;
  /** Undefined if nothing can be recorded. */
  readonly recordings: RecordingStore | undefined;
  /** Stores ended conversations; undefined if these expire with their sessions. */
  readonly archive: ConversationArchive | undefined;
}

/**
 * `identity`: with which this process calls the cloud's services. `telemetry`: its creator disposes of it; without it, nobody watches.
 * `givenArchive`: in place of the one that the settings name.
 */
export async function openHost(
  { settings, settingsNow = () => settings, state: stored, clock, logger }: Given,
  identity: EntraCredential,
  telemetry: Telemetry = noTelemetry,
  givenArchive?: ConversationArchive,
): Promise<OpenHost> {
  const failures = new RecentFailures(clock);
  const relay = await composeLiveRelay(settings, identity);
  const onOutage = countFailures("live-relay", { telemetry, failures });
  const { liveUpdates } = stored;
  const relayed = relay && relayLiveUpdates({ liveUpdates, relay, onOutage, clock, logger });
  const hasState = createStateProbe(stored, clock);
  const sessions = new BufferedSessionStore({ store: stored.sessions, clock, logger });
  const { findCall, ...known } = recallState(stored, hasState);
  const state = { ...stored, ...known, sessions, liveUpdates: relayed ?? liveUpdates };
  const auditTrail = openAuditTrail(settings, { store: stored.audit, identity, clock, logger, loadBlob: loadAudit });
  const id = createId("host");
  const host = createHost({ id, settings, settingsNow, state, telemetry, failures, auditTrail, clock, logger });
  const recordings = await createRecordingStore(settings, identity, loadRecordings);
  const archive = givenArchive ?? (await createArchive(settings, identity, loadArchive));
  return { host, stored, failures, hasState, sessions, findCall, relayed, recordings, archive };
}

const loadAudit = () => import("@voice/shared/audit/blob-audit-archive");
const loadArchive = () => import("@voice/shared/archive/cosmos-archive");
const loadRecordings = () => import("@voice/shared/recordings/blob-recording-store");

/** For what no single conversation depends on. */
export function countFailures(
  part: string,
  { telemetry, failures }: Pick<Host, "telemetry" | "failures">,
): (error: VoiceError) => void {
  return ({ code, reason, message }) => {
    telemetry.count("voice.upstream.errors", { part, code });
    failures.note({ part, code, reason: reason ?? message });
  };
}
