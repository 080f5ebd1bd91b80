/** Parses an upgrade's path and query (HS-2). Pure. */
import { didYouMean } from "@voice/shared/catalog/nearest-name";
import { languageTag, timeZone } from "@voice/shared/config/kinds";
import { idField } from "@voice/shared/contracts/http/fields";
import { z } from "zod";
import { hookEventNames } from "../../transports/telephony/hook-events.ts";

const apiPrefix = "/api/v1";

const name = z.string().min(1).max(64);
const ticket = z.string().max(256).optional();

/** Parses a mode in either letter case, as the HTTP API does. */
function modeOf<const Modes extends readonly string[]>(modes: Modes) {
  return z.string().toUpperCase().pipe(z.enum(modes));
}

const hookEvents = z
  .string()
  .transform((list) => list.split(",").map((event) => event.trim()))
  .pipe(z.array(z.enum(hookEventNames)));

/** A gateway on the way may append parameters of its own, so unknown ones are ignored. */
const queries = {
  browser: z.object({
    session_id: idField.optional(),
    streaming_mode: modeOf(["VOICE_LIVE", "REALTIME"]).default("REALTIME"),
    user_email: z.email().max(254).optional(),
    scenario: name.optional(),
    agent: name.optional(),
    profile_id: idField.optional(),
    language: languageTag.schema.optional(),
    time_zone: timeZone.schema.optional(),
    ticket,
  }),
  dashboard: z.object({ session_id: idField.optional(), ticket }),
  listen: z.object({ session_id: idField, ticket }),
  tools: z.object({ ticket }),
  media: z.object({
    call_connection_id: z.string().min(1).max(256),
    session_id: idField.optional(),
    /** Our own id of the call, which is put into the address because the communication service has no id for it yet. */
    call_id: z.string().min(1).max(128).optional(),
    ticket,
  }),
  "media-session": z.object({ session_id: idField, ticket }),
  twilio: z.object({ token: z.string().min(1).max(64) }),
  telephony: z.object({
    session_id: z.guid().optional(),
    scenario: name.optional(),
    agent: name.optional(),
    /** TRANSCRIPTION only transcribes, for an integration that sends audio one way. */
    streaming_mode: modeOf(["VOICE_LIVE", "TRANSCRIPTION"]).default("VOICE_LIVE"),
    events: hookEvents.optional(),
  }),
} as const;

type RouteKind = keyof typeof queries;

function routeOf<const Kind extends string, Query extends z.ZodType>(kind: Kind, query: Query) {
  return query.transform((parsed) => ({ kind, query: parsed }));
}

/** Kind and query stay one type. */
const routes = {
  browser: routeOf("browser", queries.browser),
  dashboard: routeOf("dashboard", queries.dashboard),
  listen: routeOf("listen", queries.listen),
  tools: routeOf("tools", queries.tools),
  media: routeOf("media", queries.media),
  "media-session": routeOf("media-session", queries["media-session"]),
  twilio: routeOf("twilio", queries.twilio),
  telephony: routeOf("telephony", queries.telephony),
} as const;

/** People write the addresses of these routes. A misspelt parameter is refused here, because it would silently change nothing. */
const writtenByPeople: ReadonlySet<RouteKind> = new Set(["browser", "dashboard", "listen", "tools"]);

export type StreamRoute = {
  [K in RouteKind]: { readonly kind: K; readonly query: z.infer<(typeof queries)[K]> };
}[RouteKind];

export type RouteOf<K extends StreamRoute["kind"]> = Extract<StreamRoute, { kind: K }>;
export type QueryOf<K extends StreamRoute["kind"]> = RouteOf<K>["query"];

export type RouteMatch =
  | { readonly type: "route"; readonly route: StreamRoute }
  | { readonly type: "unknown-path" }
  | { readonly type: "invalid-query"; readonly field: string; readonly problem: string };

interface StreamPath {
  /** The path as documents write it. */
  readonly path: string;
  readonly kind: RouteKind;
  readonly pattern: RegExp;
}

/** Every address that can be opened: what is not in this list is not served. */
export const streamPaths: readonly StreamPath[] = [
  fixed("/browser/conversation", "browser"),
  fixed("/realtime/conversation", "browser"),
  fixed("/browser/dashboard/relay", "dashboard"),
  fixed("/realtime/dashboard/relay", "dashboard"),
  fixed("/realtime/listen", "listen"),
  fixed("/realtime/tools", "tools"),
  fixed("/media/stream", "media"),
  {
    path: "/v1/media/stream/{session_id}",
    kind: "media-session",
    pattern: /^\/v1\/media\/stream\/(?<session_id>[^/]+)$/,
  },
  // Twilio passes no query on.
  {
    path: `${apiPrefix}/twilio/stream/{token}`,
    kind: "twilio",
    pattern: /^\/api\/v1\/twilio\/stream\/(?<token>[\w-]+)\/?$/,
  },
  // Some platforms append the id of their connector.
  {
    path: `${apiPrefix}/telephony/stream`,
    kind: "telephony",
    pattern: /^\/api\/v1\/telephony\/stream(?:\/[^/]*)?$/,
  },
];

function fixed(path: string, kind: RouteKind): StreamPath {
  return { path: apiPrefix + path, kind, pattern: new RegExp(`^${apiPrefix}${path}/?$`) };
}

/** The parameters that an address of this kind takes, in its path or its query. */
export function queryNames(kind: RouteKind): string[] {
  return Object.keys(queries[kind].shape);
}

/**
 * `callConnectionId`: from the communication service's header; the address cannot contain it, because it is made
 * earlier.
 */
export function matchStreamRoute(url: URL, callConnectionId?: string): RouteMatch {
  for (const { kind, pattern } of streamPaths) {
    const matched = pattern.exec(url.pathname);
    if (matched === null) continue;
    const repeated = [...url.searchParams.keys()].find(
      (name) => hasTwoValues(url, name) && name in queries[kind].shape,
    );
    if (repeated !== undefined)
      return { type: "invalid-query", field: repeated, problem: "is given twice, with different values" };
    const isFromService = kind === "media" && callConnectionId !== undefined;
    const known = isFromService ? { call_connection_id: callConnectionId } : {};
    return parseRoute(kind, { ...known, ...Object.fromEntries(url.searchParams), ...matched.groups });
  }
  return { type: "unknown-path" };
}

function hasTwoValues({ searchParams }: URL, name: string): boolean {
  return new Set(searchParams.getAll(name)).size > 1;
}

function parseRoute(kind: RouteKind, query: Readonly<Record<string, string>>): RouteMatch {
  const misspelt = writtenByPeople.has(kind) ? misspeltIn(query, kind) : undefined;
  if (misspelt !== undefined) return misspelt;
  const parsed = routes[kind].safeParse(query);
  if (parsed.success) return { type: "route", route: parsed.data };
  const [issue] = parsed.error.issues;
  const field = String(issue?.path[0] ?? "query"); // behind it stands which item of a list
  const problem = field in query ? (issue?.message ?? "invalid") : "is required";
  return { type: "invalid-query", field, problem };
}

function misspeltIn(query: Readonly<Record<string, string>>, kind: RouteKind): RouteMatch | undefined {
  const names = queryNames(kind);
  for (const field of Object.keys(query)) {
    const meant = names.includes(field) ? "" : didYouMean(field, names);
    if (meant !== "") return { type: "invalid-query", field, problem: `is unknown${meant}` };
  }
  return undefined;
}
