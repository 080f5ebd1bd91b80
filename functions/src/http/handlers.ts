/**
 * The handler of each registered function, created at its first request, because that loads its file and compiles its
 * schemas.
 */
import type { HttpHandler } from "@azure/functions";
import type { Place } from "./places.ts";
import { answerRoute, createHandler, type Provide } from "./respond.ts";
import type { Route } from "./route.ts";
import { answerUnmatched } from "./unmatched.ts";
import { unmatchedName } from "./unmatched-place.ts";

/** Keyed by the name of the function. */
export function createHandlers(
  places: readonly Place[],
  loadRoutes: (file: string) => Promise<readonly Route[]>,
  provide: Provide,
): (name: string) => Promise<HttpHandler> {
  const made = new Map<string, Promise<HttpHandler>>();
  const create = async (name: string): Promise<HttpHandler> => {
    if (name === unmatchedName) return createHandler(answerUnmatched(places), provide, "/{*path}");
    const place = places.find((one) => one.name === name);
    const routes = place === undefined ? [] : await loadRoutes(place.file);
    const route = routes.find(({ endpoint }) => endpoint.name === place?.endpoint);
    if (place === undefined || route === undefined) throw new Error(`no route is registered as ${name}`);
    return createHandler(answerRoute(route), provide, `/${place.path}`);
  };
  return (name) => {
    const handler = made.get(name) ?? create(name);
    made.set(name, handler);
    return handler;
  };
}
