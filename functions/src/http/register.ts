/** From places to registered functions. */
import type { HttpFunctionOptions, HttpHandler } from "@azure/functions";
import type { Place } from "./places.ts";
import { unmatchedMethods, unmatchedName } from "./unmatched-place.ts";

/** As much of the library's `app` as registration needs. */
export interface HttpRegistrar {
  http(name: string, options: HttpFunctionOptions): void;
}

/** Access is decided per endpoint in our own code, so the host's own function keys stay out of the way. */
export function registerPlaces(
  app: HttpRegistrar,
  places: readonly Place[],
  loadHandler: (name: string) => Promise<HttpHandler>,
): void {
  const unmatched = { name: unmatchedName, path: "{*path}", methods: unmatchedMethods };
  for (const { name, path, methods } of [...places, unmatched]) {
    app.http(name, {
      route: path,
      methods: [...methods],
      authLevel: "anonymous",
      handler: async (request, context) => (await loadHandler(name))(request, context),
    });
  }
}
