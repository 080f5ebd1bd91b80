/**
 * Blob storage's REST protocol, as much of it as recordings and the audit trail need: containers, block blobs whose blocks are staged and
 * committed, append blobs, entity tags and conditions, ranges, listing, deletion. Keeps blobs in memory; fails when it is told to.
 * What it answers was compared with Azurite 3.37 by running the same contract suite against both; append blobs are as the REST
 * reference has them (Put Blob, Append Block).
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { listen } from "@voice/local/emulators/listen";

interface Blob {
  content: Buffer;
  etag: string;
  contentType: string;
  /** The blocks of the committed list. */
  blocks: Map<string, Buffer>;
}

export interface BlobStorage {
  readonly connectionString: string;
  /** `container/name` of every blob, in order. */
  names(): string[];
  content(name: string): Buffer | undefined;
  contentType(name: string): string | undefined;
  /** Method and what it was asked for, of every request so far. */
  readonly requests: string[];
  /** What happens to each request from now on; undefined: what should. */
  fault: "unavailable" | "hangs" | undefined;
  close(): Promise<void>;
}

const account = "voice";

export async function startBlobStorage(): Promise<BlobStorage> {
  const containers = new Set<string>();
  const blobs = new Map<string, Blob>();
  const appendBlobs = new Set<string>();
  const staged = new Map<string, Map<string, Buffer>>();
  const requests: string[] = [];
  let tags = 0;

  function commit(name: string, content: Buffer, contentType: string, blocks: Map<string, Buffer>): string {
    const etag = `"0x${(tags += 1).toString(16).toUpperCase()}"`;
    blobs.set(name, { content, etag, contentType, blocks });
    staged.delete(name);
    return etag;
  }

  function handle(request: IncomingMessage, url: URL, body: Buffer): Answer {
    if (request.headers.authorization?.startsWith(`SharedKey ${account}:`) !== true)
      return failure(403, "AuthenticationFailed");
    const [, , container = "", ...rest] = decodeURIComponent(url.pathname).split("/");
    const name = `${container}/${rest.join("/")}`;
    const { searchParams } = url;
    if (rest.length === 0) return handleContainer(request.method ?? "", container, searchParams);
    if (!containers.has(container)) return failure(404, "ContainerNotFound");
    const blob = blobs.get(name);
    const refusal =
      request.method === "PUT" && searchParams.get("comp") !== "block" ? conditionOf(request, blob) : undefined;
    if (refusal !== undefined) return refusal;
    switch (`${request.method} ${searchParams.get("comp") ?? ""}`) {
      case "PUT ": {
        const type = String(request.headers["x-ms-blob-type"]);
        if (!["BlockBlob", "AppendBlob"].includes(type)) return failure(400, "InvalidHeaderValue");
        if (type === "AppendBlob") appendBlobs.add(name);
        return { status: 201, headers: { etag: commit(name, body, typeOf(request), new Map()) } };
      }
      case "PUT appendblock": {
        if (blob === undefined) return failure(404, "BlobNotFound");
        if (!appendBlobs.has(name)) return failure(409, "InvalidBlobType");
        const etag = commit(name, Buffer.concat([blob.content, body]), blob.contentType, new Map());
        return { status: 201, headers: { etag, "x-ms-blob-append-offset": `${blob.content.length}` } };
      }
      case "PUT block": {
        const blocks = staged.get(name) ?? new Map<string, Buffer>();
        blocks.set(searchParams.get("blockid") ?? "", body);
        staged.set(name, blocks);
        return { status: 201 };
      }
      case "PUT blocklist":
        return commitBlocks(name, body.toString(), typeOf(request));
      case "HEAD ":
      case "GET ":
        return blob === undefined ? failure(404, "BlobNotFound") : read(request, blob);
      case "DELETE ":
        return blobs.delete(name) ? { status: 202 } : failure(404, "BlobNotFound");
      default:
        return failure(400, "UnsupportedQueryParameter");
    }
  }

  function commitBlocks(name: string, xml: string, contentType: string): Answer {
    const known = new Map([...(blobs.get(name)?.blocks ?? []), ...(staged.get(name) ?? [])]);
    const ids = [...xml.matchAll(/<(?:Latest|Committed|Uncommitted)>([^<]+)</g)].map(([, id = ""]) => id);
    const blocks = new Map<string, Buffer>();
    for (const id of ids) {
      const block = known.get(id);
      if (block === undefined) return failure(400, "InvalidBlockList");
      blocks.set(id, block);
    }
    const etag = commit(name, Buffer.concat([...blocks.values()]), contentType, blocks);
    return { status: 201, headers: { etag } };
  }

  function handleContainer(method: string, container: string, query: URLSearchParams): Answer {
    if (method === "PUT") {
      if (containers.has(container)) return failure(409, "ContainerAlreadyExists");
      containers.add(container);
      return { status: 201 };
    }
    if (!containers.has(container)) return failure(404, "ContainerNotFound");
    const prefix = `${container}/${query.get("prefix") ?? ""}`;
    const found = [...blobs.keys()].filter((name) => name.startsWith(prefix)).toSorted();
    const items = found.map(
      (name) => `<Blob><Name>${name.slice(container.length + 1)}</Name><Properties><Etag>x</Etag></Properties></Blob>`,
    );
    const xml = `<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs>${items.join("")}</Blobs><NextMarker /></EnumerationResults>`;
    return { status: 200, headers: { "content-type": "application/xml" }, body: Buffer.from(xml) };
  }

  const storage: BlobStorage = {
    connectionString: "",
    names: () => [...blobs.keys()].toSorted(),
    content: (name) => blobs.get(name)?.content,
    contentType: (name) => blobs.get(name)?.contentType,
    requests,
    fault: undefined,
    close: async () => undefined,
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://storage");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    requests.push(`${request.method} ${url.searchParams.get("comp") ?? url.pathname.split("/").at(-1)}`);
    if (storage.fault === "hangs") return;
    const { status, headers, body } =
      storage.fault === "unavailable" ? failure(503, "ServerBusy") : handle(request, url, Buffer.concat(chunks));
    response.writeHead(status, { "x-ms-request-id": "1", "x-ms-version": "2025-01-05", ...headers });
    response.end(request.method === "HEAD" ? undefined : body);
  }

  const server = await listen((request, response) => void answer(request, response));
  const key = randomBytes(32).toString("base64");
  return Object.assign(storage, {
    connectionString: `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${key};BlobEndpoint=http://${server.host}/${account};`,
    close: server.close,
  });
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

function failure(status: number, code: string): Answer {
  const body = Buffer.from(
    `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
  );
  return { status, headers: { "x-ms-error-code": code, "content-type": "application/xml" }, body };
}

function conditionOf(request: IncomingMessage, blob: Blob | undefined): Answer | undefined {
  if (request.headers["if-none-match"] === "*" && blob !== undefined) return failure(409, "BlobAlreadyExists");
  const tag = request.headers["if-match"];
  return tag !== undefined && tag !== blob?.etag ? failure(412, "ConditionNotMet") : undefined;
}

function typeOf(request: IncomingMessage): string {
  return String(request.headers["x-ms-blob-content-type"] ?? "application/octet-stream");
}

function read(request: IncomingMessage, { content, etag, contentType }: Blob): Answer {
  const headers = {
    etag,
    "content-type": contentType,
    "x-ms-blob-type": "BlockBlob",
    "last-modified": new Date(0).toUTCString(),
  };
  const asked = /^bytes=(\d+)-(\d*)$/.exec(String(request.headers["x-ms-range"] ?? request.headers["range"] ?? ""));
  if (asked === null)
    return { status: 200, headers: { ...headers, "content-length": `${content.length}` }, body: content };
  const start = Number(asked[1]);
  const end = asked[2] === "" ? content.length : Math.min(content.length, Number(asked[2]) + 1);
  if (start >= content.length) return failure(416, "InvalidRange");
  const part = content.subarray(start, end);
  return {
    status: 206,
    headers: {
      ...headers,
      "content-length": `${part.length}`,
      "content-range": `bytes ${start}-${end - 1}/${content.length}`,
    },
    body: part,
  };
}
