/**
 * Decides which pages may read the answers. Callers authenticate with a header, never a cookie, so no page needs
 * credentials.
 */
import { isListed } from "@voice/shared/auth/origin";

const allowedRequestHeaders = "authorization, content-type, idempotency-key, x-request-id";
/** `accept-ranges` and `content-range`: a page that reads a recording in parts has to know where it ends. */
const exposedHeaders = "x-request-id, retry-after, allow, accept-ranges, content-range";
const preflightSeconds = "600";

/** The service's own origin needs no header, because browsers do not check it. */
export function corsHeaders(origin: string | undefined, allowedOrigins: readonly string[]): Record<string, string> {
  if (allowedOrigins.length === 0) return {};
  const vary = { vary: "Origin" };
  if (origin === undefined || !isListed(origin, allowedOrigins)) return vary;
  return { ...vary, "access-control-allow-origin": origin, "access-control-expose-headers": exposedHeaders };
}

/** For a preflight request, in addition to `corsHeaders`. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": allowedRequestHeaders,
    "access-control-max-age": preflightSeconds,
  };
}
