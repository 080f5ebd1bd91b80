/** The part of the address after `#`, so that a link to a conversation or to filtered results can be shared. */
import type { Span } from "./api/overview-api.ts";
import { queryOf } from "./api/request.ts";
import { formatFilter, parseFilter } from "./conversation/conversation-filter.ts";
import type { ConversationFilter } from "./conversation/conversation-filter.ts";

export type Route =
  | { readonly page: "talk" }
  | { readonly page: "calls"; readonly search?: string }
  /** The filter is that of the list, to which the page of one conversation leads back. */
  | { readonly page: "conversations"; readonly sessionId: string | undefined; readonly filter?: ConversationFilter }
  /** The session is undefined for a record from a file. */
  | { readonly page: "replay"; readonly sessionId: string | undefined }
  | {
      readonly page: "build";
      readonly part: { readonly kind: "agent" | "scenario"; readonly name: string } | undefined;
    }
  | { readonly page: "live" }
  | { readonly page: "system" }
  | { readonly page: "overview"; readonly days: Span }
  /** The address names no page. */
  | { readonly page: "unknown" };

export function parseRoute(hash: string): Route {
  const [path = "", query] = hash.replace(/^#\/?/, "").split("?", 2);
  const [page, id, name] = path.split("/", 3);
  switch (page) {
    case "calls":
      return { page, ...parseSearch(new URLSearchParams(query)) };
    case "conversations":
    case "watch": // of links that were shared before the page had its present name
      return {
        page: "conversations",
        sessionId: parseId(id),
        filter: parseFilter(new URLSearchParams(query)),
      };
    case "replay":
      return { page, sessionId: parseId(id) };
    case "build":
      return { page, part: parsePart(id, name) };
    case "live":
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
    case "live":
    case "system":
      return `#${route.page}`;
    case "build":
      return route.part === undefined ? "#build" : `#build/${route.part.kind}/${encodeURIComponent(route.part.name)}`;
    case "calls":
      return `#calls${queryOf({ search: route.search })}`;
    case "conversations":
      return `#conversations${formatId(route.sessionId)}${formatFilter(route.filter ?? {})}`;
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

/** The id of one call. */
function parseSearch(query: URLSearchParams): { readonly search?: string } {
  const search = query.get("search");
  return search === null || search === "" ? {} : { search };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
