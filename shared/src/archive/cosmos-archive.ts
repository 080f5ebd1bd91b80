/**
 * The archive in Azure Cosmos DB (API for NoSQL): a container `conversations`, partitioned by `/session_id`. Documents are put
 * and deleted by id: two requests of the service's REST API, for which its client would bring 40 MB of packages along.
 * https://learn.microsoft.com/rest/api/cosmos-db/documents
 */
import { setTimeout as wait } from "node:timers/promises";
import { VoiceError } from "../platform/errors.ts";
import type { TokenSource } from "../platform/access-token.ts";
import type { ConversationArchive } from "./conversation-archive.ts";

export interface CosmosArchiveOptions {
  readonly endpoint: string;
  readonly database: string;
  readonly tokens: TokenSource;
  /** What the tokens are for. */
  readonly scope: string;
}

interface DocumentRequest {
  readonly method: "POST" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Made with the infrastructure: the data plane's roles may write documents and make no containers. */
const containerName = "conversations";
const requestTimeoutMs = 5000;
/** Whoever asked for more than was paid for is told to wait some milliseconds. The archiver tries again for longer. */
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
    // What it says could quote the request; only the status counts.
    await response.body?.cancel();
    return response;
  }

  /** The status, of a second attempt where the first came too soon after others. */
  async function statusOf(path: string, key: string, request: DocumentRequest): Promise<number> {
    try {
      const response = await send(path, key, request);
      if (response.status !== 429) return response.status;
      const delayMs = Number(response.headers.get("x-ms-retry-after-ms") ?? 0);
      await wait(Math.min(delayMs, longestThrottleMs), undefined, request.signal && { signal: request.signal });
      return (await send(path, key, request)).status;
    } catch {
      // An error of fetch, or of whoever makes the tokens, could carry the address or the request.
      throw unavailable("nothing");
    }
  }

  return {
    async keep(conversation, signal) {
      const id = conversation.session_id;
      const status = await statusOf("", id, {
        method: "POST",
        signal,
        headers: {
          "content-type": "application/json",
          "x-ms-documentdb-is-upsert": "true",
          // The document is not sent back.
          prefer: "return=minimal",
        },
        body: JSON.stringify({ ...conversation, id }),
      });
      if (!isSuccess(status)) throw unavailable(status);
    },
    async forget(sessionId) {
      const status = await statusOf(`/${encodeURIComponent(sessionId)}`, sessionId, { method: "DELETE" });
      if (status !== 404 && !isSuccess(status)) throw unavailable(status);
      return status !== 404;
    },
  };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const unavailable = (answer: number | "nothing"): VoiceError =>
  new VoiceError("upstream_unavailable", `the document store answered ${answer}`);

/** JSON for a header, which holds ASCII only. */
function inAscii(json: string): string {
  return json.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
