/**
 * Answers what the Functions host would answer with an empty 404: unknown paths, and known paths with an unsupported
 * method. Also answers OPTIONS, which the host does not implement: preflight requests, and others with `Allow`.
 */
import { corsHeaders, preflightHeaders } from "./cors.ts";
import type { Place } from "./places.ts";
import { problemReply } from "./problems.ts";
import type { Answer } from "./respond.ts";

export function answerUnmatched(places: readonly Place[]): Answer {
  const methodsAt = createMethodLookup(places);
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

/** The methods of a path, including `HEAD` and `OPTIONS`; empty for an unknown path. */
export function createMethodLookup(places: readonly Pick<Place, "path" | "methods">[]): (path: string) => string[] {
  const patterns = places.map(({ path, methods }) => ({
    pattern: new RegExp(`^/${path.replaceAll(/[.]/g, "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}/?$`, "i"),
    methods,
  }));
  return (path) => {
    const found = patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    return found.length === 0 ? [] : [...new Set([...found, "OPTIONS"])];
  };
}
