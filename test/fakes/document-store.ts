/**
 * Azure Cosmos DB's REST protocol, as much of it as the archive needs: one container that is there, documents that are
 * put, read and deleted by id and partition key. Fails when it is told to.
 */
import { text as readText } from "node:stream/consumers";
import { listen } from "@voice/local/emulators/listen";
import { z } from "zod";

const document = z.looseObject({ id: z.string(), session_id: z.string() });

export interface DocumentStore {
  readonly url: string;
  readonly documents: ReadonlyMap<string, z.infer<typeof document>>;
  /** Tokens that requests came with. */
  readonly tokens: ReadonlySet<string>;
  isAway: boolean;
  /** How often it was asked while it was away. */
  refused: number;
  close(): Promise<void>;
}

const collection = "/dbs/voice/colls/conversations";

export async function startDocumentStore(): Promise<DocumentStore> {
  const documents = new Map<string, z.infer<typeof document>>();
  const tokens = new Set<string>();
  const store = { isAway: false, refused: 0 };

  const server = await listen((request, response) => {
    const reply = (status: number, body: unknown): void =>
      void response.writeHead(status, { "content-type": "application/json", etag: '"1"' }).end(JSON.stringify(body));
    void readText(request).then((text) => {
      const path = new URL(request.url ?? "/", "http://store").pathname.replace(/\/$/, "");
      tokens.add(decodeURIComponent(request.headers.authorization ?? ""));
      if (store.isAway) {
        store.refused += 1;
        return reply(503, { code: "ServiceUnavailable", message: "away" });
      }
      const key: unknown = JSON.parse(String(request.headers["x-ms-documentdb-partitionkey"] ?? "[]"));
      switch (`${request.method} ${path.startsWith(`${collection}/docs/`) ? "one" : path}`) {
        case `GET ${collection}`:
          return reply(200, {
            id: "conversations",
            partitionKey: { paths: ["/session_id"], kind: "Hash", version: 2 },
          });
        case `POST ${collection}/docs`: {
          const parsed = document.parse(JSON.parse(text));
          const isUpsert = request.headers["x-ms-documentdb-is-upsert"] === "true";
          if (!isUpsert || JSON.stringify(key) !== JSON.stringify([parsed.session_id])) return reply(400, {});
          documents.set(parsed.id, parsed);
          return reply(201, parsed);
        }
        case "GET one": {
          const found = documents.get(decodeURIComponent(path.slice(path.lastIndexOf("/") + 1)));
          return found === undefined ? reply(404, { code: "NotFound", message: "nothing there" }) : reply(200, found);
        }
        case "DELETE one": {
          const id = decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
          if (!documents.delete(id)) return reply(404, { code: "NotFound", message: "nothing there" });
          response.writeHead(204).end();
          return undefined;
        }
        default:
          return reply(400, { code: "BadRequest", message: `${request.method} ${path}` });
      }
    });
  });
  return Object.assign(store, { url: `http://${server.host}`, documents, tokens, close: server.close });
}
