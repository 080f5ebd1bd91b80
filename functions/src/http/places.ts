/** The method and path of each route, apart from its code: all that the Functions host needs to know at start-up. */
import type { HttpMethod } from "@azure/functions";
import { routesOf } from "@voice/shared/contracts/http/endpoint";
import type { Route } from "./route.ts";

export interface Place {
  /** The function's name in Azure. */
  readonly name: string;
  readonly path: string;
  readonly methods: readonly HttpMethod[];
  /** The name of its endpoint, and of the file that answers it. */
  readonly endpoint: string;
  readonly file: string;
}

/** An endpoint with two paths is registered as two functions. */
export async function placesOf(
  files: readonly string[],
  loadRoutes: (file: string) => Promise<readonly Route[]>,
): Promise<readonly Place[]> {
  const places = files.map(async (file) =>
    (await loadRoutes(file)).flatMap(({ endpoint }) =>
      routesOf(endpoint).map((path, index) => ({
        name: index === 0 ? endpoint.name : `${endpoint.name}Root`,
        path,
        methods: methodsOf(endpoint.method),
        endpoint: endpoint.name,
        file,
      })),
    ),
  );
  return (await Promise.all(places)).flat();
}

/** GET endpoints answer HEAD too; the server drops the body. */
function methodsOf(method: HttpMethod): readonly HttpMethod[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}
