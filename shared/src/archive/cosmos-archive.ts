/**
 * The archive in Azure Cosmos DB (API for NoSQL): a container `conversations`, partitioned by `/session_id`. Documents are put,
 * read, deleted and listed: four requests of the service's REST API, for which its client would bring 40 MB of packages along.
 * https://learn.microsoft.com/rest/api/cosmos-db/documents
 *
 * The REST API sorts and counts within one partition only, so a small entry of each conversation stands in a partition
 * of its own, which lists them. A partition holds 20 GB, about twenty million entries.
 */
import { setTimeout as wait } from "node:timers/promises";
import { VoiceError } from "../platform/errors.ts";
import type { TokenSource } from "../platform/access-token.ts";
import { z } from "zod";
import { archivedConversation, archivedSummary } from "./conversation-archive.ts";
import type { ArchivedConversation, ArchivePage, ConversationArchive } from "./conversation-archive.ts";

export interface CosmosArchiveOptions {
  readonly endpoint: string;
  readonly database: string;
  readonly tokens: TokenSource;
  /** The scope of the tokens. */
  readonly scope: string;
}

interface Answer {
  readonly status: number;
  /** Only the document itself is read: the description of a failure could quote the request. */
  readonly text: string;
  /** Of a query: where the rest of its answer begins. */
  readonly continuation: string | null;
}

interface DocumentRequest {
  readonly method: "POST" | "GET" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Created with the infrastructure, because the data plane's roles may write documents but not create containers. */
const containerName = "conversations";
/** The partition of the entries; no id of a session has a slash. */
const listPartition = "list/archived";
const requestTimeoutMs = 5000;
/**
 * When the provisioned throughput is exceeded, the service asks to wait some milliseconds. The archiver's own retries
 * last longer.
 */
const longestThrottleMs = 2000;
const apiVersion = "2020-07-15";

export function createCosmosArchive({ endpoint, database, tokens, scope }: CosmosArchiveOptions): ConversationArchive {
  const token = tokens(scope);
  const documents = `${endpoint.replace(/\/$/, "")}/dbs/${encodeURIComponent(database)}/colls/${containerName}/docs`;

  async function send(
    path: string,
    key: string,
    { method, headers, body, signal }: DocumentRequest,
  ): Promise<Response> {
    const timeout = AbortSignal.timeout(requestTimeoutMs);
    const response = await fetch(`${documents}${path}`, {
      method,
      body: body ?? null,
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      redirect: "error",
      headers: {
        ...headers,
        authorization: encodeURIComponent(`type=aad&ver=1.0&sig=${await token()}`),
        "x-ms-date": new Date().toUTCString(),
        "x-ms-version": apiVersion,
        "x-ms-documentdb-partitionkey": inAscii(JSON.stringify([key])),
      },
    });
    return response;
  }

  /** The response; if the first attempt was throttled, that of a second one. */
  async function ask(path: string, key: string, request: DocumentRequest): Promise<Answer> {
    try {
      let response = await send(path, key, request);
      if (response.status === 429) {
        await response.body?.cancel();
        const delayMs = Number(response.headers.get("x-ms-retry-after-ms") ?? 0);
        await wait(Math.min(delayMs, longestThrottleMs), undefined, request.signal && { signal: request.signal });
        response = await send(path, key, request);
      }
      const continuation = response.headers.get("x-ms-continuation");
      return { status: response.status, text: await response.text(), continuation };
    } catch {
      // Errors of fetch or of the credential could contain the address or the request.
      throw unavailable("nothing");
    }
  }

  async function put(partition: string, document: object, signal: AbortSignal): Promise<void> {
    const { status } = await ask("", partition, {
      method: "POST",
      signal,
      headers: {
        "content-type": "application/json",
        "x-ms-documentdb-is-upsert": "true",
        // Asks the service not to send the document back.
        prefer: "return=minimal",
      },
      body: JSON.stringify(document),
    });
    if (!isSuccess(status)) throw unavailable(status);
  }

  async function remove(partition: string, id: string): Promise<boolean> {
    const { status } = await ask(`/${encodeURIComponent(id)}`, partition, { method: "DELETE" });
    if (status !== 404 && !isSuccess(status)) throw unavailable(status);
    return status !== 404;
  }

  /** The service may answer in several parts. */
  async function query(sql: string, owner: string | undefined): Promise<unknown[]> {
    const parameters = owner === undefined ? [] : [{ name: "@owner", value: owner }];
    const found: unknown[] = [];
    let from: string | null = null;
    do {
      const answer: Answer = await ask("", listPartition, {
        method: "POST",
        headers: {
          "content-type": "application/query+json",
          "x-ms-documentdb-isquery": "true",
          ...(from === null ? {} : { "x-ms-continuation": from }),
        },
        body: JSON.stringify({ query: sql, parameters }),
      });
      if (!isSuccess(answer.status)) throw unavailable(answer.status);
      found.push(...documentsOf.parse(JSON.parse(answer.text)).Documents);
      from = answer.continuation;
    } while (from !== null);
    return found;
  }

  return {
    async keep(conversation, signal) {
      const id = conversation.session_id;
      await put(id, { ...conversation, id }, signal);
      await put(listPartition, entryOf(conversation), signal);
    },
    async list({ offset, limit, owner }): Promise<ArchivePage> {
      const where = owner === undefined ? "" : " WHERE c.owner = @owner";
      const [entries, counts] = await Promise.all([
        query(`SELECT * FROM c${where} ORDER BY c.last_activity_at DESC OFFSET ${offset} LIMIT ${limit}`, owner),
        query(`SELECT VALUE COUNT(1) FROM c${where}`, owner),
      ]);
      const total = z
        .array(z.number())
        .parse(counts)
        .reduce((sum, count) => sum + count, 0);
      return {
        sessions: z
          .array(listEntry)
          .parse(entries)
          .map(({ summary }) => summary),
        total,
      };
    },
    async find(sessionId) {
      const { status, text } = await ask(`/${encodeURIComponent(sessionId)}`, sessionId, { method: "GET" });
      if (status === 404) return undefined;
      if (!isSuccess(status)) throw unavailable(status);
      return archivedConversation.parse(JSON.parse(text));
    },
    async forget(sessionId) {
      const [wasListed, wasKept] = await Promise.all([remove(listPartition, sessionId), remove(sessionId, sessionId)]);
      return wasListed || wasKept;
    },
  };
}

const documentsOf = z.object({ Documents: z.array(z.unknown()) });
const listEntry = z.object({ summary: archivedSummary });

function entryOf(conversation: ArchivedConversation): object {
  const summary = archivedSummary.parse(conversation);
  const { session_id: id, last_activity_at } = summary;
  return { id, session_id: listPartition, owner: conversation.owner ?? null, last_activity_at, summary };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const unavailable = (answer: number | "nothing"): VoiceError =>
  new VoiceError("upstream_unavailable", `the document store answered ${answer}`);

/** JSON for a header, which holds ASCII only. */
function inAscii(json: string): string {
  return json.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
