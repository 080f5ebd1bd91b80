/**
 * What remains of conversations: their audio while they run, all of them when they have ended, and messages to those
 * who want to know that.
 */
import type { ConversationArchive } from "@voice/shared/archive/conversation-archive";
import { createArchive } from "@voice/shared/archive/create-archive";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import { createRecordingStore } from "@voice/shared/recordings/create-recording-store";
import type { RecordingStore } from "@voice/shared/recordings/recording-store";
import type { State } from "@voice/shared/state/ports/state";
import { composeWebhooks } from "./webhooks.ts";
import type { Host } from "../host/host.ts";
import { createSessionRecordings } from "../server/conversations/companions/session-recordings.ts";
import { createConversationArchiver, type ConversationArchiver } from "../server/host/conversation-archiver.ts";
import { watchLostConversations } from "../server/host/lost-conversations.ts";
import type { WebhookSender } from "../server/host/webhook-sender.ts";
import { createRecordingTelemetry } from "../telemetry/recording-telemetry.ts";

export interface Keeping {
  readonly recordings: ReturnType<typeof createSessionRecordings>;
  readonly archiver: ConversationArchiver;
  /** Whether anything is archived. */
  readonly isArchived: boolean;
  readonly webhooks: WebhookSender;
  /** From then on, another host ends the conversations of hosts that died. */
  readonly stopEndingLost: () => Promise<void>;
}

/** `stored`: the state as other hosts see it; what waits on this host for the store is announced when it is there. */
export async function composeKeeping(
  { id: hostId, settings, state, telemetry, random, clock, logger }: Host,
  stored: State,
  identity: EntraCredential,
  given: { readonly recordingStore?: RecordingStore; readonly archive?: ConversationArchive },
): Promise<Keeping> {
  const recordings = createSessionRecordings({
    store: given.recordingStore ?? (await createRecordingStore(settings, identity, loadBlob)),
    sessions: state.sessions,
    announcement: settings.recordingAnnouncement,
    telemetry: createRecordingTelemetry(telemetry),
    clock,
  });
  const archive = given.archive ?? (await createArchive(settings, identity, loadArchive));
  const archiver = createConversationArchiver({
    archive,
    state: stored,
    random,
    telemetry,
    clock,
    logger,
  });
  const webhooks = await composeWebhooks({ settings, state: stored, telemetry, clock, logger });
  const stopEndingLost = watchLostConversations({
    hostId,
    hosts: stored.hosts,
    sessions: stored.sessions,
    liveUpdates: state.liveUpdates,
    messageLog: state.messageLog,
    clock,
    logger,
  });
  return { recordings, archiver, isArchived: archive !== undefined, webhooks, stopEndingLost };
}

const loadArchive = () => import("@voice/shared/archive/cosmos-archive");
const loadBlob = () => import("@voice/shared/recordings/blob-recording-store");
