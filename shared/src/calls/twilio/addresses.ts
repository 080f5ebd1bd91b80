/** The addresses at which Twilio reaches us. What they carry is signed with them, and they hold ids and nothing else. */
import { randomBytes } from "node:crypto";
import { apiPrefix } from "../../contracts/http/endpoint.ts";
import type { Settings } from "../../config/settings.ts";
import type { ErrandKind, ReportSubject } from "../../contracts/calls/twilio-webhook-names.ts";

const base = `${apiPrefix}/calls/twilio`;

/** For the number's "A call comes in". */
export function voiceUrl(baseUrl: string): string {
  return `${baseUrl}${base}/voice`;
}

/** For the number's "Call status changes", and for the calls that we place. */
export function reportUrl(
  baseUrl: string,
  about: ReportSubject,
  { callId, operation }: { readonly callId?: string | undefined; readonly operation?: string | undefined } = {},
): string {
  return withQuery(`${baseUrl}${base}/reports`, { about, call_id: callId, operation });
}

/**
 * Where Twilio asks what to do next. Each address is another one, because Twilio signs nothing that differs between two such requests, and a
 * request that is sent twice is refused.
 */
export function nextUrl(baseUrl: string, after: ErrandKind, callId: string, operation?: string): string {
  const once = randomBytes(9).toString("base64url");
  return withQuery(`${baseUrl}${base}/next`, { after, call_id: callId, operation, once });
}

/** Twilio passes no query on to a socket, so the token is in the path (TwiML `<Stream>`, attribute `url`). */
export function streamUrl(
  { baseUrl, streamingHostUrl }: Pick<Settings, "baseUrl" | "streamingHostUrl">,
  token: string,
) {
  return `${socketOrigin({ baseUrl, streamingHostUrl })}${streamPath(token)}`;
}

export function streamPath(token: string): string {
  return `${apiPrefix}/twilio/stream/${token}`;
}

function socketOrigin({ baseUrl = "", streamingHostUrl }: Pick<Settings, "baseUrl" | "streamingHostUrl">): string {
  return streamingHostUrl ?? baseUrl.replace(/^http/, "ws");
}

function withQuery(url: string, query: Readonly<Record<string, string | undefined>>): string {
  const known = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return `${url}?${new URLSearchParams(Object.fromEntries(known)).toString()}`;
}
