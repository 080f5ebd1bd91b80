/**
 * What remains of conversations: their audio while they run, all of them when they have ended, and messages to those
 * who want to know that.
 */
import type { ConversationArchive } from "@voice/shared/archive/conversation-archive";
import type { RecordingStore } from "@voice/shared/recordings/recording-store";
import type { State } from "@voice/shared/state/ports/state";
import type { Host } from "../host/host.ts";
import { SessionRecordings } from "../server/conversations/companions/session-recordings.ts";
import { ConversationArchiver } from "../server/host/conversation-archiver.ts";
import { LostConversations } from "../server/host/lost-conversations.ts";
import { WebhookSender } from "../server/host/webhook-sender.ts";

export interface Keeping {
  readonly recordings: SessionRecordings;
  /** Undefined where nothing is archived: conversations expire with their sessions. */
  readonly archiver: ConversationArchiver | undefined;
  /** Undefined where nobody wants to know. */
  readonly webhooks: { close(): Promise<void> } | undefined;
  readonly lost: LostConversations;
}

/** `stored`: the state as other hosts see it; what waits on this host for the store is announced when it is there. */
export async function composeKeeping(
  host: Host,
  stored: State,
  recordings: RecordingStore | undefined,
  archive: ConversationArchive | undefined,
): Promise<Keeping> {
  return {
    recordings: new SessionRecordings(host, recordings),
    archiver: archive && new ConversationArchiver(archive, host, stored),
    webhooks: await composeWebhooks(host, stored),
    lost: new LostConversations(host, stored),
  };
}

/** What a receiver answers is not read any further than this. */
const maxAnswerBytes = 64_000;

/** Deliveries to other people's servers, where the settings name any. */
export async function composeWebhooks(
  host: Pick<Host, "settings" | "random" | "telemetry" | "clock" | "logger">,
  stored: State,
): Promise<Keeping["webhooks"]> {
  const { webhookUrls = [], webhookPrivateHosts } = host.settings;
  if (webhookUrls.length === 0) return undefined;
  const { createHttpSender } = await import("../providers/http-tools/send-request.ts");
  const http = createHttpSender(webhookPrivateHosts);
  const sender = new WebhookSender(host, stored, async (url, { headers, body, signal }) => {
    const answer = await http.send({ method: "POST", url, headers, body }, { maxBytes: maxAnswerBytes, signal });
    return answer.status;
  });
  return {
    async close() {
      await sender.close();
      await http.close();
    },
  };
}
