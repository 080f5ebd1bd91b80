import { describe, expect, it } from "vitest";
import { places } from "../places.ts";
import { createMethodLookup } from "./unmatched.ts";

const methodsAt = createMethodLookup(places);

describe("the methods of a path", () => {
  it.each([
    ["/api/v1/health", ["GET", "HEAD", "OPTIONS"]],
    ["/API/v1/calls", ["GET", "HEAD", "OPTIONS"]],
    ["/api/v1/calls/", ["GET", "HEAD", "OPTIONS"]],
    ["/api/v1/agents/some%20one", ["GET", "HEAD", "PUT", "OPTIONS"]],
    ["/api/v1/sessions/x", ["GET", "HEAD", "DELETE", "OPTIONS"]],
    ["/docs/openapi.json", ["GET", "HEAD", "OPTIONS"]],
  ])("of %s are %j", (path, methods) => {
    expect(methodsAt(path)).toEqual(methods);
  });

  it.each(["/", "/api/v1", "/api/v1/health/x", "/api/v1//health", "/docs/openapixjson", "/api/v1/sessions/"])(
    "of %s are those of a path that nobody serves, or of another one",
    (path) => {
      expect(methodsAt(path)).toEqual(path === "/api/v1/sessions/" ? ["GET", "HEAD", "OPTIONS"] : []);
    },
  );
});
