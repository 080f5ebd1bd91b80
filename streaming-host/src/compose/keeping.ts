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
import { composeAfterCalls, type AfterCallParts } from "./after-calls.ts";
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
  readonly webhooks: WebhookSender;
  /** From then on, another host ends the conversations of hosts that died. */
  readonly stopEndingLost: () => Promise<void>;
}

export interface GivenStores {
  /** As other hosts see it: what waits on this host for the store is announced when it is there. */
  readonly state: State;
  readonly recordingStore?: RecordingStore;
  readonly archive?: ConversationArchive;
}

export async function composeKeeping(
  host: Host,
  given: GivenStores,
  identity: EntraCredential,
  noting: AfterCallParts,
): Promise<Keeping> {
  const { id: hostId, settings, state, telemetry, random, clock, logger } = host;
  const { state: stored, archive = await createArchive(settings, identity, loadArchive) } = given;
  const recordings = createSessionRecordings({
    store: given.recordingStore ?? (await createRecordingStore(settings, identity, loadBlob)),
    sessions: state.sessions,
    announcement: settings.recordingAnnouncement,
    telemetry: createRecordingTelemetry(telemetry),
    clock,
  });
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
  const afterCalls = composeAfterCalls(host, stored, { ...noting, isArchived: archive !== undefined });
  return {
    recordings,
    archiver: {
      left: (sessionId) => archiver.left(sessionId),
      async close() {
        await afterCalls.close();
        await archiver.close();
      },
    },
    webhooks,
    stopEndingLost,
  };
}

const loadArchive = () => import("@voice/shared/archive/cosmos-archive");
const loadBlob = () => import("@voice/shared/recordings/blob-recording-store");
