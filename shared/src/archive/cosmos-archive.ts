/**
 * The archive in Azure Cosmos DB: a container `conversations`, partitioned by `/session_id`. A document of the store may
 * have 2 MB, so that a very long conversation is several documents of its partition.
 *
 * Its REST API sorts and counts within one partition only, so a small entry of each conversation stands in a partition
 * of its own, which lists them. A partition holds 20 GB, about twenty million entries.
 */
import { z } from "zod";
import { inSlices } from "../platform/steps.ts";
import { archivePart, joinConversation, splitConversation, type ArchivePart } from "./archive-parts.ts";
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
      const { first, rest } = await inSlices(splitConversation(conversation));
      // The first one names the others, so it is written last.
      for (const [at, part] of rest.entries())
        await documents.put(id, { ...part, id: partId(id, at + 2), session_id: id }, signal);
      await documents.put(id, { ...first, id, parts: rest.length + 1 }, signal);
      await documents.put(listPartition, entryOf(conversation), signal);
    },
    async find(sessionId) {
      const found = await documents.read(sessionId, sessionId);
      if (found === undefined) return undefined;
      const rest: ArchivePart[] = [];
      for (let at = 2; at <= countOf(found); at += 1)
        rest.push(archivePart.parse(await documents.read(sessionId, partId(sessionId, at))));
      return joinConversation(archivedConversation.parse(found), rest);
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
      const known = countOf(await documents.read(sessionId, sessionId));
      for (let at = known; at > 1; at -= 1) await documents.remove(sessionId, partId(sessionId, at));
      // A longer conversation may have been archived under this id before.
      for (let at = known + 1; await documents.remove(sessionId, partId(sessionId, at));) at += 1;
      const [wasListed, wasKept] = await Promise.all([
        documents.remove(listPartition, sessionId),
        documents.remove(sessionId, sessionId),
      ]);
      return wasListed || wasKept;
    },
  };
}

const split = z.object({ parts: z.int().min(1).default(1) });

/** The number of documents of a conversation, which the first of them says. */
function countOf(first: unknown): number {
  return first === undefined ? 1 : split.parse(first).parts;
}

function partId(sessionId: string, at: number): string {
  return `${sessionId}.part-${at}`;
}

function entryOf(conversation: ArchivedConversation): object {
  const summary = archivedSummary.parse(conversation);
  const { session_id: id, last_activity_at } = summary;
  return { id, session_id: listPartition, owner: conversation.owner ?? null, last_activity_at, summary };
}
