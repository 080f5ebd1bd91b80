/** Everything that answers requests, which main.ts loads behind the registration. */
import { reportedDependencies } from "./compose.ts";
import { createHandlers } from "./http/handlers.ts";
import type { Place } from "./http/places.ts";
import { loadRoutes } from "./routes.ts";

export { closeDependencies } from "./compose.ts";

export function handlersOf(places: readonly Place[]): ReturnType<typeof createHandlers> {
  return createHandlers(places, loadRoutes, reportedDependencies);
}
