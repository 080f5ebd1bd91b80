/**
 * What the Functions host would answer with an empty 404: unknown paths, and known paths with a method they do not have.
 * Also OPTIONS, which the host does not imply: preflight requests, and `Allow` for everyone else.
 */
import { routesOf, type Endpoint } from "@voice/shared/contracts/http/endpoint";
import { corsHeaders, preflightHeaders } from "./cors.ts";
import { problemReply } from "./problems.ts";
import type { Answer } from "./respond.ts";

/** Sorts behind every other function; the host takes the first name that matches, not the most specific route. */
export const unmatchedName = "zzNotFound";

/** All that the library can represent: the Request of the fetch standard refuses TRACE and CONNECT. */
export const unmatchedMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

export function answerUnmatched(endpoints: readonly Endpoint[]): Answer {
  const methodsAt = createMethodLookup(endpoints);
  return async ({ request, path }, { clock, settings }) => {
    const methods = methodsAt(path);
    const nowMs = clock.wallNow();
    if (methods.length === 0) {
      const hint = settings.environment === "production" ? "" : " The API is described at /docs/openapi.json.";
      const detail = `There is nothing at this path.${hint}`;
      return problemReply({ type: "not_found", detail, instance: path, nowMs });
    }
    const allow = methods.join(", ");
    if (request.method !== "OPTIONS") {
      const detail = `The resource supports ${allow}.`;
      return problemReply({ type: "method_not_allowed", detail, instance: path, nowMs, headers: { allow } });
    }
    const cors = corsHeaders(request.headers.get("origin") ?? undefined, settings.corsAllowedOrigins);
    const isPreflight = "access-control-allow-origin" in cors && request.headers.has("access-control-request-method");
    return { status: 204, headers: { allow, ...(isPreflight ? preflightHeaders(methods) : {}) } };
  };
}

/** The methods of a path, `HEAD` and `OPTIONS` included; empty for a path that nobody serves. */
export function createMethodLookup(endpoints: readonly Endpoint[]): (path: string) => string[] {
  const patterns = endpoints.flatMap((endpoint) =>
    routesOf(endpoint).map((route) => ({
      pattern: new RegExp(`^/${route.replaceAll(/[.]/g, "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}/?$`, "i"),
      methods: methodsOf(endpoint),
    })),
  );
  return (path) => {
    const found = patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    return found.length === 0 ? [] : [...new Set([...found, "OPTIONS"])];
  };
}

/** A GET is also a HEAD; the server drops the body. */
export function methodsOf(
  endpoint: Pick<Endpoint, "method">,
): ("GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "OPTIONS")[] {
  return endpoint.method === "GET" ? ["GET", "HEAD"] : [endpoint.method];
}
