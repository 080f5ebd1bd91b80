/** The part of the address after `#`, so that a link to a conversation or to filtered results can be shared. */
import type { CallQuery } from "./api/calls-api.ts";
import { queryOf } from "./api/request.ts";
import { readDay } from "./days.ts";

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
  const read = (name: string): string | undefined => query.get(name) || undefined;
  const status = read("status");
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    status,
    outcome: status === undefined ? read("outcome") : undefined,
    direction: read("direction"),
    from: readDay(query.get("from")),
    to: readDay(query.get("to")),
    search: read("search"),
  };
}

function formatQuery({ page, status, outcome, direction, from, to, search }: CallQuery): string {
  return queryOf({ status, outcome, direction, from, to, search, page: page > 1 ? page : undefined });
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
