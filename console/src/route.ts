/** The part of the address after `#`, so that a link to a conversation or to filtered results can be shared. */
import type { CallQuery } from "./api/calls-api.ts";
import type { Span } from "./api/overview-api.ts";
import { queryOf } from "./api/request.ts";
import type { SessionQuery } from "./api/service-api.ts";
import { readDay } from "./days.ts";

export type Route =
  | { readonly page: "talk" }
  | { readonly page: "calls"; readonly query: CallQuery }
  /** The query is that of the list, which stays as it is while one of its conversations is open. */
  | { readonly page: "conversations"; readonly sessionId: string | undefined; readonly query?: SessionQuery }
  /** Without a session, for a record from a file. */
  | { readonly page: "replay"; readonly sessionId: string | undefined }
  | {
      readonly page: "build";
      readonly part: { readonly kind: "agent" | "scenario"; readonly name: string } | undefined;
    }
  | { readonly page: "system" }
  | { readonly page: "overview"; readonly days: Span }
  /** The address names no page. */
  | { readonly page: "unknown" };

export function parseRoute(hash: string): Route {
  const [path = "", query] = hash.replace(/^#\/?/, "").split("?", 2);
  const [page, id, name] = path.split("/", 3);
  switch (page) {
    case "calls":
      return { page, query: parseCallQuery(new URLSearchParams(query)) };
    case "conversations":
    case "watch": // of links that were shared before the page had its present name
      return {
        page: "conversations",
        sessionId: parseId(id),
        query: parseSessionQuery(new URLSearchParams(query)),
      };
    case "replay":
      return { page, sessionId: parseId(id) };
    case "build":
      return { page, part: parsePart(id, name) };
    case "system":
      return { page };
    case "overview":
      return { page, days: parseSpan(id) };
    case "":
    case "talk":
      return { page: "talk" };
    default:
      return { page: "unknown" };
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
      return `#calls${formatCallQuery(route.query)}`;
    case "conversations":
      return `#conversations${formatId(route.sessionId)}${formatSessionQuery(route.query)}`;
    case "overview":
      return `#overview/${route.days}`;
    case "unknown":
      return "#unknown";
    case "replay":
      return `#replay${formatId(route.sessionId)}`;
  }
}

function parseSpan(text: string | undefined): Span {
  return text === "1" ? 1 : text === "30" ? 30 : 7;
}

function parseId(id: string | undefined): string | undefined {
  return id === undefined || id === "" ? undefined : decode(id);
}

function formatId(id: string | undefined): string {
  return id === undefined ? "" : `/${encodeURIComponent(id)}`;
}

function parsePart(kind: string | undefined, name: string | undefined) {
  const decoded = name === undefined || name === "" ? undefined : decode(name);
  if (decoded === undefined || (kind !== "agent" && kind !== "scenario")) return undefined;
  return { kind, name: decoded } as const;
}

function parseCallQuery(query: URLSearchParams): CallQuery {
  const status = read(query, "status");
  return {
    ...parsePageAndDays(query),
    status,
    outcome: status === undefined ? read(query, "outcome") : undefined,
    direction: read(query, "direction"),
    search: read(query, "search"),
  };
}

function parseSessionQuery(query: URLSearchParams): SessionQuery {
  return {
    ...parsePageAndDays(query),
    status: read(query, "status"),
    channel: read(query, "channel"),
    search: read(query, "search"),
  };
}

function parsePageAndDays(query: URLSearchParams) {
  const page = Number(query.get("page") ?? 1);
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    from: readDay(query.get("from")),
    to: readDay(query.get("to")),
  };
}

function read(query: URLSearchParams, name: string): string | undefined {
  return query.get(name) || undefined;
}

function formatCallQuery({ page, status, outcome, direction, from, to, search }: CallQuery): string {
  return queryOf({ status, outcome, direction, from, to, search, page: page > 1 ? page : undefined });
}

function formatSessionQuery({ page, status, channel, from, to, search }: SessionQuery = { page: 1 }): string {
  return queryOf({ status, channel, from, to, search, page: page > 1 ? page : undefined });
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
