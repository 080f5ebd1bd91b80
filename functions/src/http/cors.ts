/** Which pages may read the answers. Callers authenticate with a header, never with a cookie, so none needs credentials. */

const allowedRequestHeaders = "authorization, content-type, x-request-id";
const exposedHeaders = "x-request-id, retry-after, allow";
const preflightSeconds = "600";

/** The own origin needs no header: browsers do not ask. */
export function corsHeaders(origin: string | undefined, allowedOrigins: readonly string[]): Record<string, string> {
  if (allowedOrigins.length === 0) return {};
  const vary = { vary: "Origin" };
  if (origin === undefined || !isAllowed(origin, allowedOrigins)) return vary;
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

function isAllowed(origin: string, allowedOrigins: readonly string[]): boolean {
  return allowedOrigins.some((allowed) => URL.canParse(allowed) && new URL(allowed).origin === origin);
}
