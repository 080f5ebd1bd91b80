/**
 * Documents of one container in Azure Cosmos DB (API for NoSQL), over the service's REST API, for which its client would
 * bring 40 MB of packages along. Every request is within one partition.
 * https://learn.microsoft.com/rest/api/cosmos-db/documents
 */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { TokenSource } from "../platform/access-token.ts";
import { VoiceError } from "../platform/errors.ts";

export interface CosmosDocumentsOptions {
  readonly endpoint: string;
  readonly database: string;
  readonly container: string;
  readonly tokens: TokenSource;
  /** The scope of the tokens. */
  readonly scope: string;
}

export interface QueryParameter {
  readonly name: string;
  readonly value: string;
}

interface Answer {
  readonly status: number;
  /** Only the document itself is read: the description of a failure could quote the request. */
  readonly text: string;
  /** The token with which the remaining results of a query are requested; null if there are none. */
  readonly continuation: string | null;
}

interface DocumentRequest {
  readonly method: "POST" | "GET" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

const requestTimeoutMs = 5000;
/**
 * When the provisioned throughput is exceeded, the service asks to wait some milliseconds. The archiver's own retries
 * last longer.
 */
const longestThrottleMs = 2000;
const apiVersion = "2020-07-15";

const documentsOf = z.object({ Documents: z.array(z.unknown()) });

/** All methods reject with `upstream_unavailable`. */
export class CosmosDocuments {
  readonly #documents: string;
  readonly #token: () => Promise<string>;

  constructor({ endpoint, database, container, tokens, scope }: CosmosDocumentsOptions) {
    this.#documents = `${endpoint.replace(/\/$/, "")}/dbs/${encodeURIComponent(database)}/colls/${container}/docs`;
    this.#token = tokens(scope);
  }

  /** Replaces the document as a whole. */
  async put(partition: string, document: object, signal: AbortSignal): Promise<void> {
    const { status } = await this.#ask("", partition, {
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

  async read(partition: string, id: string): Promise<unknown> {
    const { status, text } = await this.#ask(`/${encodeURIComponent(id)}`, partition, { method: "GET" });
    if (status === 404) return undefined;
    if (!isSuccess(status)) throw unavailable(status);
    return JSON.parse(text);
  }

  /** False if there was none. */
  async remove(partition: string, id: string): Promise<boolean> {
    const { status } = await this.#ask(`/${encodeURIComponent(id)}`, partition, { method: "DELETE" });
    if (status !== 404 && !isSuccess(status)) throw unavailable(status);
    return status !== 404;
  }

  /** The service may answer in several parts. */
  async query(partition: string, sql: string, parameters: readonly QueryParameter[]): Promise<unknown[]> {
    const found: unknown[] = [];
    let from: string | null = null;
    do {
      const answer: Answer = await this.#ask("", partition, {
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

  async #send(path: string, key: string, { method, headers, body, signal }: DocumentRequest): Promise<Response> {
    const timeout = AbortSignal.timeout(requestTimeoutMs);
    const response = await fetch(`${this.#documents}${path}`, {
      method,
      body: body ?? null,
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      redirect: "error",
      headers: {
        ...headers,
        authorization: encodeURIComponent(`type=aad&ver=1.0&sig=${await this.#token()}`),
        "x-ms-date": new Date().toUTCString(),
        "x-ms-version": apiVersion,
        "x-ms-documentdb-partitionkey": inAscii(JSON.stringify([key])),
      },
    });
    return response;
  }

  /** The response; if the first attempt was throttled, that of a second one. */
  async #ask(path: string, key: string, request: DocumentRequest): Promise<Answer> {
    try {
      let response = await this.#send(path, key, request);
      if (response.status === 429) {
        await response.body?.cancel();
        const delayMs = Number(response.headers.get("x-ms-retry-after-ms") ?? 0);
        await wait(Math.min(delayMs, longestThrottleMs), undefined, request.signal && { signal: request.signal });
        response = await this.#send(path, key, request);
      }
      const continuation = response.headers.get("x-ms-continuation");
      return { status: response.status, text: await response.text(), continuation };
    } catch {
      // Errors of fetch or of the credential could contain the address or the request.
      throw unavailable("nothing");
    }
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const unavailable = (answer: number | "nothing"): VoiceError =>
  new VoiceError("upstream_unavailable", `the document store answered ${answer}`);

/** JSON for a header, which holds ASCII only. */
function inAscii(json: string): string {
  return json.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
