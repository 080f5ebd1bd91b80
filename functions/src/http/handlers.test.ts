import { defineEndpoint } from "@voice/shared/contracts/http/endpoint";
import { describe, expect, it } from "vitest";
import { createHandlers } from "./handlers.ts";
import { placesOf } from "./places.ts";
import type { Route } from "./route.ts";

function routeNamed(name: string): Route {
  const endpoint = defineEndpoint({
    name,
    at: `GET /${name}`,
    alsoAtRoot: true,
    summary: "A route",
    access: "open",
    responses: { 204: { description: "nothing" } },
  });
  return { endpoint, handle: () => Promise.resolve({ status: 204 }) };
}

async function handlersOfTwoFiles() {
  const files: Readonly<Record<string, readonly Route[]>> = { first: [routeNamed("one")], second: [routeNamed("two")] };
  const read: string[] = [];
  const loadRoutes = (file: string) => {
    read.push(file);
    return Promise.resolve(files[file] ?? []);
  };
  const places = await placesOf(Object.keys(files), loadRoutes);
  read.length = 0;
  const provide = () => Promise.reject(new Error("nothing is composed here"));
  return { handlerOf: createHandlers(places, loadRoutes, provide), places, read };
}

describe("the handlers of the registered functions", () => {
  it("reads a file when the first request for one of its functions comes, and makes each handler once", async () => {
    const { handlerOf, read } = await handlersOfTwoFiles();
    expect(read).toEqual([]);
    const first = await handlerOf("two");
    expect(await handlerOf("two")).toBe(first);
    expect(read).toEqual(["second"]);
  });

  it("has a handler for each path of an endpoint, and one for unknown paths", async () => {
    const { handlerOf, places } = await handlersOfTwoFiles();
    expect(places.map(({ name, path }) => [name, path])).toEqual([
      ["one", "api/v1/one"],
      ["oneRoot", "one"],
      ["two", "api/v1/two"],
      ["twoRoot", "two"],
    ]);
    for (const name of [...places.map((place) => place.name), "zzNotFound"])
      expect(await handlerOf(name)).toBeInstanceOf(Function);
  });

  it("does not know a function that nobody registered", async () => {
    const { handlerOf } = await handlersOfTwoFiles();
    await expect(handlerOf("three")).rejects.toThrow("no route is registered as three");
  });
});
