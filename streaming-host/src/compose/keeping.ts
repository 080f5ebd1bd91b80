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
import type { State } from "@voice/shared/state/ports/state";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import type { Host } from "../host/host.ts";
import { createSessionRecordings } from "../server/conversations/companions/session-recordings.ts";
import { createConversationArchiver, type ConversationArchiver } from "../server/host/conversation-archiver.ts";
import { watchLostConversations } from "../server/host/lost-conversations.ts";
import { startWebhookSender, type WebhookSender } from "../server/host/webhook-sender.ts";

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
  given: ConversationArchive | undefined,
): Promise<Keeping> {
  const recordings = createSessionRecordings({
    store: await createRecordingStore(settings, identity, loadBlob),
    sessions: state.sessions,
    announcement: settings.recordingAnnouncement,
    telemetry,
    clock,
  });
  const archive = given ?? (await createArchive(settings, identity, loadArchive));
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

interface WebhookParts {
  readonly settings: Settings;
  readonly state: State;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a receiver answers is not read any further than this. */
const maxAnswerBytes = 64_000;

/** Deliveries to other people's servers, where the settings name any. */
export async function composeWebhooks({ settings, ...parts }: WebhookParts): Promise<WebhookSender> {
  const { webhookUrls: urls = [], webhookSecrets: secrets = [], webhookPrivateHosts, baseUrl } = settings;
  if (urls.length === 0) return { close: () => Promise.resolve() };
  const { createHttpSender } = await import("../providers/http-tools/send-request.ts");
  const http = createHttpSender(webhookPrivateHosts);
  const sender = startWebhookSender({
    ...parts,
    urls,
    secrets,
    baseUrl,
    async post(url, { headers, body, signal }) {
      const answer = await http.send({ method: "POST", url, headers, body }, { maxBytes: maxAnswerBytes, signal });
      return answer.status;
    },
    random: Math.random,
  });
  return {
    async close() {
      await sender.close();
      await http.close();
    },
  };
}
