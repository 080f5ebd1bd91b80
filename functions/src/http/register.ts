/** From routes to registered functions. */
import type { HttpFunctionOptions } from "@azure/functions";
import { routesOf } from "@voice/shared/contracts/http/endpoint";
import { answerRoute, createHandler, type Provide } from "./respond.ts";
import type { Route } from "./route.ts";
import { answerUnmatched, methodsOf, unmatchedMethods, unmatchedName } from "./unmatched.ts";

/** As much of the library's `app` as registration needs. */
export interface HttpRegistrar {
  http(name: string, options: HttpFunctionOptions): void;
}

/**
 * Access is decided per endpoint in our own code, so the host's own function keys stay out of the way. An endpoint at two
 * places is two functions.
 */
export function registerRoutes(app: HttpRegistrar, routes: readonly Route[], provide: Provide): void {
  for (const route of routes) {
    for (const [index, path] of routesOf(route.endpoint).entries()) {
      app.http(index === 0 ? route.endpoint.name : `${route.endpoint.name}Root`, {
        route: path,
        methods: methodsOf(route.endpoint),
        authLevel: "anonymous",
        handler: createHandler(answerRoute(route), provide, `/${path}`),
      });
    }
  }
  app.http(unmatchedName, {
    route: "{*path}",
    methods: [...unmatchedMethods],
    authLevel: "anonymous",
    handler: createHandler(answerUnmatched(routes.map((route) => route.endpoint)), provide, "/{*path}"),
  });
}
