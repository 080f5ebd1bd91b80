/** Registers a function for each route. */
import type { HttpFunctionOptions, HttpHandler } from "@azure/functions";
import type { Place } from "./places.ts";
import { unmatchedMethods, unmatchedName } from "./unmatched-place.ts";

/** The part of the library's `app` that registration needs. */
export interface HttpRegistrar {
  http(name: string, options: HttpFunctionOptions): void;
}

/** Access is decided per endpoint in our own code, so the host's function keys are not used. */
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
