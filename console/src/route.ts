/** The part of the address after `#`, so that a link to a conversation or to filtered results can be shared. */
import type { CallQuery } from "./api/calls-api.ts";

export type Route =
  | { readonly page: "talk" }
  | { readonly page: "calls"; readonly query: CallQuery }
  | { readonly page: "watch"; readonly sessionId: string | undefined }
  /** Without a session, for a record from a file. */
  | { readonly page: "replay"; readonly sessionId: string | undefined }
  | {
      readonly page: "build";
      readonly part: { readonly kind: "agent" | "scenario"; readonly name: string } | undefined;
    }
  | { readonly page: "system" };

export function parseRoute(hash: string): Route {
  const [path = "", query] = hash.replace(/^#\/?/, "").split("?", 2);
  const [page, id, name] = path.split("/", 3);
  switch (page) {
    case "calls":
      return { page, query: parseQuery(new URLSearchParams(query)) };
    case "watch":
    case "replay":
      return { page, sessionId: id === undefined || id === "" ? undefined : decode(id) };
    case "build":
      return { page, part: parsePart(id, name) };
    case "system":
      return { page };
    default:
      return { page: "talk" };
  }
}

export function formatRoute(route: Route): string {
  switch (route.page) {
    case "talk":
    case "system":
      return `#${route.page}`;
    case "build":
      return route.part === undefined ? "#build" : `#build/${route.part.kind}/${encodeURIComponent(route.part.name)}`;
    case "calls":
      return `#calls${formatQuery(route.query)}`;
    case "watch":
    case "replay":
      return route.sessionId === undefined ? `#${route.page}` : `#${route.page}/${encodeURIComponent(route.sessionId)}`;
  }
}

function parsePart(kind: string | undefined, name: string | undefined) {
  const decoded = name === undefined || name === "" ? undefined : decode(name);
  if (decoded === undefined || (kind !== "agent" && kind !== "scenario")) return undefined;
  return { kind, name: decoded } as const;
}

function parseQuery(query: URLSearchParams): CallQuery {
  const page = Number(query.get("page") ?? 1);
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    status: query.get("status") ?? undefined,
    search: query.get("search") ?? undefined,
  };
}

function formatQuery({ page, status, search }: CallQuery): string {
  const query = new URLSearchParams();
  if (status !== undefined) query.set("status", status);
  if (search !== undefined) query.set("search", search);
  if (page > 1) query.set("page", String(page));
  return query.size === 0 ? "" : `?${query}`;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
