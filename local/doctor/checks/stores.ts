/** The stores: recordings, the archive of conversations, and external live updates. Each is written, read and deleted again. */
import { createArchive } from "@voice/shared/archive/create-archive";
import type { ArchivedConversation } from "@voice/shared/archive/conversation-archive";
import { createUuid } from "@voice/shared/platform/ids";
import { countsOnRecordings, createRecordingStore } from "@voice/shared/recordings/create-recording-store";
import { composeLiveRelay } from "@voice/streaming-host/compose/providers";
import { CheckFailure, type Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";

export function storeChecks(context: DoctorContext): Check[] {
  const { parts, settings } = context;
  return [
    ...(countsOnRecordings(settings) ? [recordingCheck(context)] : []),
    ...(parts.archive.kind === "none" ? [] : [archiveCheck(context)]),
    ...(parts.liveRelay.kind === "none" ? [] : [relayCheck(context)]),
  ];
}

function recordingCheck({ settings, identity }: DoctorContext): Check {
  const advice =
    settings.storageEndpoint === undefined
      ? "compare CLOUD_STORAGE_CONNECTION_STRING with the account's, or see that RECORDING_DIR can be written"
      : "the identity needs the role Storage Blob Data Contributor on the account of CLOUD_STORAGE_ENDPOINT";
  return {
    name: "recordings",
    advice,
    async run() {
      const store = await createRecordingStore(
        settings,
        identity,
        () => import("@voice/shared/recordings/blob-recording-store"),
      );
      if (store === undefined) throw new CheckFailure("there is no storage", "set CLOUD_STORAGE_ENDPOINT");
      const id = { sessionId: `doctor-${createUuid()}`, recordingId: "check" };
      try {
        const writer = await store.create(id, { sampleRateHz: 16_000, channels: 1 });
        await writer.append(Uint8Array.of(1, 2, 3, 4));
        await writer.close();
        const read = await store.read(id, 0, 4);
        if (Buffer.compare(read, Buffer.of(1, 2, 3, 4)) !== 0)
          throw new CheckFailure("what was read is not what was written", advice);
      } finally {
        await store.deleteAll(id.sessionId);
      }
      return `${store.kind}: wrote, read and deleted`;
    },
  };
}

function archiveCheck({ settings, identity, clock }: DoctorContext): Check {
  return {
    name: "archive",
    advice:
      "the database of CLOUD_DOCSTORE_DATABASE needs the container `conversations` with the partition key /session_id, and the identity the role Cosmos DB Built-in Data Contributor",
    async run(signal) {
      const archive = await createArchive(settings, identity, () => import("@voice/shared/archive/cosmos-archive"));
      const conversation = emptyConversation(`doctor-${createUuid()}`, new Date(clock.wallNow()).toISOString());
      await archive?.keep(conversation, signal);
      const { session_id: sessionId, created_at: createdAt } = conversation;
      const wasThere = await archive?.forget({ sessionId, createdAt });
      if (wasThere !== true)
        throw new CheckFailure("what was written was not there to be deleted", "is there more than one write region?");
      return "wrote and deleted a document";
    },
  };
}

function emptyConversation(sessionId: string, now: string): ArchivedConversation {
  return {
    session_id: sessionId,
    status: "ended",
    end_reason: null,
    scenario: "doctor",
    active_agent: "doctor",
    conversation_history: [],
    channel: "browser",
    user_email: null,
    streaming_mode: "REALTIME",
    created_at: now,
    last_activity_at: now,
    memory: {},
    recordings: [],
    cost: null,
    failures: [],
    usage: [],
    turns: [],
    archived_at: now,
    call_connection_id: null,
  };
}

function relayCheck({ settings, identity }: DoctorContext): Check {
  return {
    name: "Web PubSub",
    advice:
      settings.webPubSubEndpoint === undefined
        ? "compare CLOUD_WEBPUBSUB_CONNECTION_STRING with the service's"
        : "the identity needs the role Web PubSub Service Owner",
    async run() {
      const relay = await composeLiveRelay(settings, identity);
      await relay?.send({ sessionId: `doctor-${createUuid()}`, text: JSON.stringify({ type: "doctor" }) });
      return "took an update";
    },
  };
}
