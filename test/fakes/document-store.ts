/**
 * Azure Cosmos DB's REST protocol, as much of it as the archive needs: one container that is there, documents that are
 * put, read and deleted by id and partition key, and queries within a partition. Fails when it is told to. Paths, headers and
 * answers are those that docs/vendors/cosmos-db.md names, with the pages that they are from.
 */
import { text as readText } from "node:stream/consumers";
import { listen } from "@voice/local/emulators/listen";
import { z } from "zod";

const document = z.looseObject({ id: z.string(), session_id: z.string() });
type StoredDocument = z.infer<typeof document>;

const question = z.object({
  query: z.string(),
  parameters: z.array(z.object({ name: z.string(), value: z.unknown() })),
});
/**
 * What is understood of the query language; anything else is refused, as the service refuses what it cannot do. STARTSWITH is true for a
 * text that begins with the second one, in the same letter case (learn.microsoft.com/azure/cosmos-db/nosql/query/startswith).
 */
const sql =
  /^SELECT (?<what>\*|VALUE COUNT\(1\)|c\.\w+(?:, c\.\w+)*) FROM c(?: WHERE (?:c\.(?<field>\w+) = (?<name>@\w+)|STARTSWITH\(c\.(?<begins>\w+), (?<prefix>@\w+)\)))?(?: ORDER BY c\.(?<by>\w+) DESC OFFSET (?<offset>\d+) LIMIT (?<limit>\d+))?$/;
/** The service gives as many as it likes at once; few here, so that whoever asks has to go on. */
const mostAtOnce = 2;
/** Of one document. */
const mostBytes = 2 * 1024 * 1024;

export interface DocumentStore {
  readonly url: string;
  /** The conversations, without the entries that list them. */
  readonly documents: ReadonlyMap<string, StoredDocument>;
  readonly entries: ReadonlyMap<string, StoredDocument>;
  /** Tokens that requests came with. */
  readonly tokens: ReadonlySet<string>;
  isAway: boolean;
  /** How often it was asked while it was away. */
  refused: number;
  close(): Promise<void>;
}

const collection = "/dbs/voice/colls/conversations";

export async function startDocumentStore(): Promise<DocumentStore> {
  const documents = new Map<string, StoredDocument>();
  const entries = new Map<string, StoredDocument>();
  /** A conversation's documents are in the partition of its session; another one has the entries. */
  const partition = (key: unknown, id: string): Map<string, StoredDocument> =>
    id.startsWith(JSON.stringify(key).slice(2, -2)) ? documents : entries;
  const inPartition = (key: unknown): StoredDocument[] =>
    [...documents.values(), ...entries.values()].filter(
      (one) => JSON.stringify([one.session_id]) === JSON.stringify(key),
    );
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
          if (request.headers["x-ms-documentdb-isquery"] === "true") {
            const all = found(question.parse(JSON.parse(text)), inPartition(key));
            if (all === undefined) return reply(400, { code: "BadRequest", message: "a query that is not understood" });
            const from = Number(request.headers["x-ms-continuation"] ?? 0);
            if (from + mostAtOnce < all.length) response.setHeader("x-ms-continuation", String(from + mostAtOnce));
            return reply(200, { Documents: all.slice(from, from + mostAtOnce) });
          }
          if (Buffer.byteLength(text) > mostBytes)
            return reply(413, { code: "RequestEntityTooLarge", message: "too large" });
          const parsed = document.parse(JSON.parse(text));
          const isUpsert = request.headers["x-ms-documentdb-is-upsert"] === "true";
          if (!isUpsert || JSON.stringify(key) !== JSON.stringify([parsed.session_id])) return reply(400, {});
          partition(key, parsed.id).set(parsed.id, parsed);
          return reply(201, parsed);
        }
        case "GET one": {
          const id = decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
          const one = partition(key, id).get(id);
          return one === undefined ? reply(404, { code: "NotFound", message: "nothing there" }) : reply(200, one);
        }
        case "DELETE one": {
          const id = decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
          if (!partition(key, id).delete(id)) return reply(404, { code: "NotFound", message: "nothing there" });
          response.writeHead(204).end();
          return undefined;
        }
        default:
          return reply(400, { code: "BadRequest", message: `${request.method} ${path}` });
      }
    });
  });
  return Object.assign(store, { url: `http://${server.host}`, documents, entries, tokens, close: server.close });
}

function beginsWith(value: unknown, beginning: unknown): boolean {
  return typeof value === "string" && typeof beginning === "string" && value.startsWith(beginning);
}

function found(
  { query, parameters }: z.infer<typeof question>,
  stored: readonly StoredDocument[],
): readonly unknown[] | undefined {
  const { groups } = sql.exec(query) ?? {};
  if (groups === undefined) return undefined;
  const { what = "*", field = "", name, begins = "", prefix, by = "", offset = "0", limit = "1000" } = groups;
  const wanted = parameters.find((parameter) => parameter.name === (name ?? prefix))?.value;
  const isMatch = (one: StoredDocument): boolean =>
    prefix === undefined ? name === undefined || one[field] === wanted : beginsWith(one[begins], wanted);
  const matching = stored.filter(isMatch);
  if (what === "VALUE COUNT(1)") return [matching.length];
  if (what !== "*") {
    const fields = new Set(what.split(", ").map((each) => each.slice("c.".length)));
    return matching.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => fields.has(name))));
  }
  return matching
    .toSorted((a, b) => String(b[by]).localeCompare(String(a[by])))
    .slice(Number(offset), Number(offset) + Number(limit));
}
