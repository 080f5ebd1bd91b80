/** Which WebSocket a path means, and what its query may say (HS-2). Pure. */
import { z } from "zod";

const apiPrefix = "/api/v1";

const id = z
  .string()
  .regex(/^[A-Za-z0-9._~-]{8,128}$/, "must be 8 to 128 letters, digits, dots, dashes or underscores");
const name = z.string().min(1).max(64);

const conversationQuery = z.strictObject({
  session_id: id.optional(),
  streaming_mode: z.enum(["VOICE_LIVE", "REALTIME"]).default("REALTIME"),
  user_email: z.email().max(254).optional(),
  scenario: name.optional(),
  agent: name.optional(),
  profile_id: id.optional(),
  ticket: z.string().max(256).optional(),
});

const relayQuery = z.strictObject({ session_id: id.optional(), ticket: z.string().max(256).optional() });

export type ConversationQuery = z.infer<typeof conversationQuery>;
export type RelayQuery = z.infer<typeof relayQuery>;

export type StreamRoute =
  | { readonly kind: "browser"; readonly query: ConversationQuery }
  | { readonly kind: "dashboard"; readonly query: RelayQuery };

export type RouteMatch =
  | { readonly type: "route"; readonly route: StreamRoute }
  | { readonly type: "unknown-path" }
  | { readonly type: "invalid-query"; readonly field: string; readonly problem: string };

const kinds: ReadonlyMap<string, StreamRoute["kind"]> = new Map([
  [`${apiPrefix}/browser/conversation`, "browser"],
  [`${apiPrefix}/realtime/conversation`, "browser"],
  [`${apiPrefix}/browser/dashboard/relay`, "dashboard"],
  [`${apiPrefix}/realtime/dashboard/relay`, "dashboard"],
]);

export function matchStreamRoute(url: URL): RouteMatch {
  const kind = kinds.get(url.pathname.replace(/\/$/, ""));
  if (kind === undefined) return { type: "unknown-path" };
  const query = Object.fromEntries(url.searchParams);
  const schemas = { browser: conversationQuery, dashboard: relayQuery };
  const parsed = schemas[kind].safeParse(query);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join(".") || (issue?.code === "unrecognized_keys" ? issue.keys.join(", ") : "query");
    return { type: "invalid-query", field, problem: issue?.message ?? "invalid" };
  }
  if (kind === "browser") return { type: "route", route: { kind, query: conversationQuery.parse(query) } };
  return { type: "route", route: { kind, query: relayQuery.parse(query) } };
}
