/**
 * The archive in Azure Cosmos DB: a container `conversations`, partitioned by `/session_id`.
 *
 * Its REST API sorts and counts within one partition only, so a small entry of each conversation stands in a partition
 * of its own, which lists them. A partition holds 20 GB, about twenty million entries.
 */
import { z } from "zod";
import { archivedConversation, archivedSummary } from "./conversation-archive.ts";
import type { ArchivedConversation, ArchivePage, ConversationArchive } from "./conversation-archive.ts";
import { CosmosDocuments, type CosmosDocumentsOptions } from "./cosmos-documents.ts";

export type CosmosArchiveOptions = Omit<CosmosDocumentsOptions, "container">;

/** Created with the infrastructure, because the data plane's roles may write documents but not create containers. */
const container = "conversations";
/** The partition of the entries; no id of a session has a slash. */
const listPartition = "list/archived";

const listEntry = z.object({ summary: archivedSummary });

export function createCosmosArchive(options: CosmosArchiveOptions): ConversationArchive {
  const documents = new CosmosDocuments({ ...options, container });
  return {
    async keep(conversation, signal) {
      const id = conversation.session_id;
      await documents.put(id, { ...conversation, id }, signal);
      await documents.put(listPartition, entryOf(conversation), signal);
    },
    async find(sessionId) {
      const found = await documents.read(sessionId, sessionId);
      return found === undefined ? undefined : archivedConversation.parse(found);
    },
    async list({ offset, limit, owner }): Promise<ArchivePage> {
      const where = owner === undefined ? "" : " WHERE c.owner = @owner";
      const parameters = owner === undefined ? [] : [{ name: "@owner", value: owner }];
      const page = `ORDER BY c.last_activity_at DESC OFFSET ${offset} LIMIT ${limit}`;
      const [entries, counts] = await Promise.all([
        documents.query(listPartition, `SELECT * FROM c${where} ${page}`, parameters),
        documents.query(listPartition, `SELECT VALUE COUNT(1) FROM c${where}`, parameters),
      ]);
      const sessions = z.array(listEntry).parse(entries);
      const total = z.array(z.number()).parse(counts);
      return {
        sessions: sessions.map(({ summary }) => summary),
        total: total.reduce((sum, count) => sum + count, 0),
      };
    },
    async forget(sessionId) {
      const [wasListed, wasKept] = await Promise.all([
        documents.remove(listPartition, sessionId),
        documents.remove(sessionId, sessionId),
      ]);
      return wasListed || wasKept;
    },
  };
}

function entryOf(conversation: ArchivedConversation): object {
  const summary = archivedSummary.parse(conversation);
  const { session_id: id, last_activity_at } = summary;
  return { id, session_id: listPartition, owner: conversation.owner ?? null, last_activity_at, summary };
}
