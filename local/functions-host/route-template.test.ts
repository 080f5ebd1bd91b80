import { describe, expect, it } from "vitest";
import { parseRequestPath, parseRouteTemplate } from "./route-template.ts";

function match(template: string, path: string): Readonly<Record<string, string>> | undefined {
  return parseRouteTemplate(template).match(parseRequestPath(path));
}

describe("route templates", () => {
  it("compares literals without regard to letter case and keeps the case of values", () => {
    expect(match("api/v1/sessions/{id}", "API/V1/Sessions/AbC")).toEqual({ id: "AbC" });
  });

  it("ignores one trailing slash and no more", () => {
    expect(match("api/v1/calls", "api/v1/calls/")).toEqual({});
    expect(match("api/v1/calls", "api/v1/calls//")).toBeUndefined();
  });

  it("never matches an empty segment outside a catch-all", () => {
    expect(match("a/{b}/c", "a//c")).toBeUndefined();
    expect(match("{*rest}", "a//c")).toEqual({ rest: "a//c" });
  });

  it("does not match a path that is longer or shorter", () => {
    expect(match("a/{b}", "a/b/c")).toBeUndefined();
    expect(match("a/{b}", "a")).toBeUndefined();
  });

  it("gives a catch-all everything that is left, its trailing slash included", () => {
    expect(match("{*path}", "")).toEqual({ path: "" });
    expect(match("files/{*path}", "files/a/b/")).toEqual({ path: "a/b/" });
    expect(match("files/{**path}", "files/a")).toEqual({ path: "a" });
  });

  it("lets an optional parameter be absent and fills in a default", () => {
    expect(match("a/{b?}", "a")).toEqual({});
    expect(match("a/{b=7}", "a")).toEqual({ b: "7" });
    expect(match("a/{b=7}", "a/8")).toEqual({ b: "8" });
  });

  it("splits a segment of several parameters at its literals", () => {
    expect(match("{name}.{extension}", "a.b.json")).toEqual({ name: "a.b", extension: "json" });
    expect(match("{name}.{extension?}", "readme")).toEqual({ name: "readme" });
    expect(match("v{major}", "v12")).toEqual({ major: "12" });
  });

  it.each([
    ["{x:int}", "12", "1.5"],
    ["{x:int}", "-2147483648", "2147483648"],
    ["{x:long}", "9223372036854775807", "9223372036854775808"],
    ["{x:guid}", "6f9619ff-8b86-d011-b42d-00c04fc964ff", "6f9619ff"],
    ["{x:bool}", "TRUE", "1"],
    ["{x:alpha}", "abc", "a1"],
    ["{x:double}", "1.5e3", "x"],
    ["{x:datetime}", "2026-01-02", "soon"],
    ["{x:length(2)}", "ab", "abc"],
    ["{x:length(2,3)}", "abc", "abcd"],
    ["{x:minlength(2)}", "ab", "a"],
    ["{x:maxlength(2)}", "ab", "abc"],
    ["{x:min(3)}", "3", "2"],
    ["{x:max(3)}", "3", "4"],
    ["{x:range(1,5)}", "5", "6"],
    [String.raw`{x:regex(^\d{{2}}/?$)}`, "12", "1"],
    ["{x:int:min(3)}", "4", "2"],
  ])("constrains %s to values like %s and not %s", (template, good, bad) => {
    expect(match(template, good)).toEqual({ x: good });
    expect(match(template, bad)).toBeUndefined();
  });

  it("refuses a template it cannot honour", () => {
    expect(() => parseRouteTemplate("{*all}/more")).toThrow("catch-all");
    expect(() => parseRouteTemplate("{x:nonsense}")).toThrow("nonsense");
  });
});
