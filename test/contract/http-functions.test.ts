/** The registered functions are the endpoints' definitions: nothing missing, nothing extra, nothing out of reach. */
import { beforeAll, describe, expect, it } from "vitest";
import { routesOf, type Endpoint } from "@voice/shared/contracts/http/endpoint";
import { endpoints } from "@voice/shared/contracts/http/endpoints";
import { problemStatuses } from "@voice/shared/contracts/http/problem";
import { errorCodes } from "@voice/shared/platform/errors";
import type { FunctionsApp } from "@voice/local/functions-host/functions-app";
import { functionsApp } from "../support/functions-app.ts";

let app: FunctionsApp;

beforeAll(async () => {
  app = await functionsApp();
});

function methodsOf({ method }: Endpoint): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

describe("the functions app", () => {
  it("registers every endpoint, at every place it stands, and one catch-all", () => {
    const registered = app.table.routes.map(({ route, methods }) => `${methods.join()} ${route}`);
    const defined = endpoints.flatMap((endpoint) =>
      routesOf(endpoint).map((route) => `${methodsOf(endpoint).join()} ${route}`),
    );
    expect(registered.toSorted()).toEqual([...defined, "GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS {*path}"].toSorted());
  });

  it("asks the catch-all last, because the host goes by name", () => {
    expect(app.table.routes.at(-1)?.functionName).toBe("zzNotFound");
  });

  it("reaches every endpoint with its own method and path", () => {
    for (const endpoint of endpoints) {
      for (const route of routesOf(endpoint)) {
        const target = `/${route.replaceAll(/\{\w+\}/g, "some-id")}`;
        const match = app.table.match(endpoint.method, target);
        expect(`${target} -> ${match?.route.route}`).toBe(`${target} -> ${route}`);
      }
    }
  });

  it("leaves access to its own code", () => {
    expect(new Set(app.table.routes.map((route) => route.authLevel))).toEqual(new Set(["anonymous"]));
  });
});

describe("the problem types", () => {
  it("are the product's error codes", () => {
    expect(Object.keys(problemStatuses).toSorted()).toEqual(errorCodes.toSorted());
  });
});
