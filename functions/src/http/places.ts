/** Where each route stands, apart from the code that answers it: all that the Functions host has to be told at a start. */
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

/** An endpoint at two places is two functions. */
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

/** A GET is also a HEAD; the server drops the body. */
function methodsOf(method: HttpMethod): readonly HttpMethod[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}
