/**
 * The archive in Azure Cosmos DB: a container `conversations`, partitioned by `/session_id`. A document of the store may
 * have 2 MB, so that a very long conversation is several documents of its partition.
 *
 * Its REST API sorts and counts within one partition only, so a small entry of each conversation stands in a partition
 * of its own, which lists them. A partition holds 20 GB, about twenty million entries.
 */
import { isTenantOwner } from "../auth/tenant.ts";
import { z } from "zod";
import { inSlices } from "../platform/steps.ts";
import { archivePart, joinConversation, splitConversation, type ArchivePart } from "./archive-parts.ts";
import { archivedConversation, archivedSummary } from "./conversation-archive.ts";
import type {
  ArchivedConversation,
  ArchivePage,
  ConversationArchive,
  ConversationKey,
} from "./conversation-archive.ts";
import {
  conversationsIn,
  documentHead,
  documentId,
  documentsOf,
  olderDocumentId,
  partId,
} from "./conversation-documents.ts";
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
      const { session_id, created_at, owner } = conversation;
      const key = { sessionId: session_id, createdAt: created_at };
      const id = documentId(key);
      const { first, rest } = await inSlices(splitConversation(conversation));
      // The first one names the others, so it is written last.
      for (const [at, part] of rest.entries())
        await documents.put(session_id, { ...part, id: partId(id, at + 2), session_id, created_at, owner }, signal);
      await documents.put(session_id, { ...first, id, parts: rest.length + 1 }, signal);
      await documents.put(listPartition, entryOf(conversation, id), signal);
      await removeOlder(key);
    },
    async conversationsOf(sessionId) {
      return conversationsIn(sessionId, await headsIn(sessionId));
    },
    async read(key) {
      const { sessionId } = key;
      for (const id of [documentId(key), olderDocumentId(key)]) {
        const found = await documents.read(sessionId, id);
        if (found === undefined) continue;
        const { created_at, parts } = firstDocument.parse(found);
        if (created_at !== key.createdAt) continue;
        const rest: ArchivePart[] = [];
        for (let at = 2; at <= parts; at += 1)
          rest.push(archivePart.parse(await documents.read(sessionId, partId(id, at))));
        return joinConversation(archivedConversation.parse(found), rest);
      }
      return undefined;
    },
    async list({ offset, limit, owner }): Promise<ArchivePage> {
      const where = owner === undefined ? "" : ` WHERE ${isTenantOwner(owner) ? wholeTenant : "c.owner = @owner"}`;
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
    async forget(key) {
      const { sessionId } = key;
      const ids = documentsOf(key, await headsIn(sessionId));
      const wasListed = await documents.remove(listPartition, documentId(key));
      if (ids.includes(olderDocumentId(key))) await documents.remove(listPartition, olderDocumentId(key));
      for (const id of ids) await documents.remove(sessionId, id);
      return wasListed || ids.length > 0;
    },
  };

  async function headsIn(sessionId: string) {
    return z.array(documentHead).parse(await documents.query(sessionId, headsQuery, []));
  }

  /** What was archived of this conversation under the name that documents had before. */
  async function removeOlder(key: ConversationKey): Promise<void> {
    const { sessionId } = key;
    const id = olderDocumentId(key);
    const found = await documents.read(sessionId, id);
    if (found === undefined) return;
    const { created_at, parts } = firstDocument.parse(found);
    if (created_at !== key.createdAt) return;
    for (let at = parts; at > 1; at -= 1) await documents.remove(sessionId, partId(id, at));
    await documents.remove(listPartition, id);
    await documents.remove(sessionId, id);
  }
}

/** A tenant's owner is what the owners of its users begin with. */
const wholeTenant = "STARTSWITH(c.owner, @owner)";
const headsQuery = "SELECT c.id, c.created_at, c.owner, c.recordings FROM c";

/** The first document of a conversation says how many there are. */
const firstDocument = z.object({ created_at: z.string(), parts: z.int().min(1).default(1) });

function entryOf(conversation: ArchivedConversation, id: string): object {
  const summary = archivedSummary.parse(conversation);
  const { last_activity_at } = summary;
  return { id, session_id: listPartition, owner: conversation.owner ?? null, last_activity_at, summary };
}
