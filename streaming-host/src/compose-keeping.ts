/**
 * What remains of conversations: their audio while they run, all of them when they have ended, and messages to those
 * who want to know that.
 */
import type { ConversationArchive } from "@voice/shared/archive/conversation-archive";
import { createArchive } from "@voice/shared/archive/create-archive";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import type { Logger } from "@voice/shared/platform/logger";
import { createRecordingStore } from "@voice/shared/recordings/create-recording-store";
import type { RecordingStore } from "@voice/shared/recordings/recording-store";
import type { BufferedSessionStore } from "@voice/shared/state/buffered-session-store";
import type { LiveUpdates } from "@voice/shared/state/ports/live-updates";
import type { State } from "@voice/shared/state/ports/state";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import { composeWebhooks } from "./compose-webhooks.ts";
import { createSessionRecordings } from "./server/conversations/companions/session-recordings.ts";
import { createConversationArchiver, type ConversationArchiver } from "./server/host/conversation-archiver.ts";
import { watchLostConversations } from "./server/host/lost-conversations.ts";
import type { WebhookSender } from "./server/host/webhook-sender.ts";
import { createRecordingTelemetry } from "./telemetry/recording-telemetry.ts";

interface GivenParts {
  readonly settings: Settings;
  readonly state: State;
  readonly logger: Logger;
  readonly recordingStore?: RecordingStore;
  readonly archive?: ConversationArchive;
}

interface HostsParts {
  readonly hostId: string;
  readonly sessions: BufferedSessionStore;
  /** As conversations publish them. */
  readonly liveUpdates: LiveUpdates;
  readonly identity: EntraCredential;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
}

export interface Keeping {
  readonly recordings: ReturnType<typeof createSessionRecordings>;
  readonly archiver: ConversationArchiver;
  readonly webhooks: WebhookSender;
  /** From then on, another host ends the conversations of hosts that died. */
  readonly stopEndingLost: () => Promise<void>;
}

export async function composeKeeping(
  { settings, state, logger, ...given }: GivenParts,
  { hostId, sessions, liveUpdates, identity, telemetry, clock }: HostsParts,
): Promise<Keeping> {
  const recordings = createSessionRecordings({
    store: given.recordingStore ?? (await createRecordingStore(settings, identity, loadBlob)),
    sessions,
    announcement: settings.recordingAnnouncement,
    telemetry: createRecordingTelemetry(telemetry),
    clock,
  });
  const archiver = createConversationArchiver({
    archive: given.archive ?? (await createArchive(settings, identity, loadArchive)),
    state,
    random: Math.random,
    telemetry,
    clock,
    logger,
  });
  const webhooks = await composeWebhooks({ settings, state, telemetry, clock, logger });
  const stopEndingLost = watchLostConversations({
    hostId,
    hosts: state.hosts,
    sessions: state.sessions,
    liveUpdates,
    clock,
    logger,
  });
  return { recordings, archiver, webhooks, stopEndingLost };
}

const loadArchive = () => import("@voice/shared/archive/cosmos-archive");
const loadBlob = () => import("@voice/shared/recordings/blob-recording-store");
