import { describe, expect, it } from "vitest";
import { createRouteTable } from "./route-table.ts";

const table = createRouteTable(
  [
    { functionName: "status", methods: ["GET"], route: "media/status" },
    { functionName: "byId", methods: ["GET"], route: "media/{id}" },
    { functionName: "catchAll", methods: ["GET", "POST"], route: "{*path}" },
    { functionName: "Health", methods: ["GET"], route: "health" },
    { functionName: "zzLast", methods: ["DELETE"], route: undefined },
  ],
  "",
);

describe("the route table", () => {
  it("asks functions in the order of their names, whatever their routes", () => {
    expect(table.routes.map((route) => route.functionName)).toEqual(["byId", "catchAll", "Health", "status", "zzLast"]);
    expect(table.match("GET", "/media/status")?.route.functionName).toBe("byId");
    expect(table.match("GET", "/health")?.route.functionName).toBe("catchAll");
  });

  it("treats a wrong method as no match", () => {
    expect(table.match("POST", "/media/status")?.route.functionName).toBe("catchAll");
    expect(table.match("PUT", "/media/status")).toBeUndefined();
  });

  it("routes a function without a route to its name", () => {
    expect(table.match("DELETE", "/zzlast")?.route.functionName).toBe("zzLast");
  });

  it("decodes the path except for an escaped slash, and leaves malformed escapes alone", () => {
    expect(table.match("GET", "/media/a%20b%2Fc")?.params).toEqual({ id: "a b%2Fc" });
    expect(table.match("GET", "/media/%E2%82%AC")?.params).toEqual({ id: "€" });
    expect(table.match("GET", "/media/100%")?.params).toEqual({ id: "100%" });
    expect(table.match("GET", "/media/%ff")?.params).toEqual({ id: "%ff" });
  });

  it("removes dot segments, escaped or not, and never leaves the root", () => {
    for (const path of ["/media/x/../status", "/media/./status", "/%2e%2e/media/status", "/../media/%2E/status"])
      expect(table.match("GET", path)?.params).toEqual({ id: "status" });
    expect(table.match("GET", "/media/..")?.params).toEqual({ path: "" });
    expect(table.match("GET", "/media/..%2fx")?.params).toEqual({ id: "..%2fx" });
    expect(table.match("GET", "/media/.hidden")?.params).toEqual({ id: ".hidden" });
  });

  it("puts the host's prefix before every route", () => {
    const prefixed = createRouteTable([{ functionName: "a", methods: ["GET"], route: "/b" }], "/api/v1/");
    expect(prefixed.match("GET", "/api/v1/b")).toBeDefined();
    expect(prefixed.match("GET", "/b")).toBeUndefined();
  });

  it("refuses the routes that the host keeps for itself", () => {
    const reserved = [{ functionName: "a", methods: ["GET"], route: "Admin/keys" }];
    expect(() => createRouteTable(reserved, "")).toThrow("admin");
  });
});
