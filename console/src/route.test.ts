import { describe, expect, it } from "vitest";

import { formatRoute, parseRoute } from "./route.ts";
import type { Route } from "./route.ts";

describe("the address", () => {
  it.each<Route>([
    { page: "talk" },
    { page: "system" },
    { page: "calls", query: { page: 1 } },
    { page: "calls", query: { page: 7, status: "failed", search: "+12025550123" } },
    { page: "calls", query: { page: 1, outcome: "busy", direction: "inbound", from: "2026-03-01", to: "2026-03-31" } },
    { page: "conversations", sessionId: undefined, query: { page: 1 } },
    {
      page: "conversations",
      sessionId: undefined,
      query: { page: 2, status: "ended", channel: "phone", search: "+12025550123" },
    },
    { page: "conversations", sessionId: "session-a_b", query: { page: 1, from: "2026-03-01", to: "2026-03-31" } },
    { page: "conversations", sessionId: "a/b c?", query: { page: 1 } },
    { page: "replay", sessionId: undefined },
    { page: "build", part: undefined },
    { page: "build", part: { kind: "scenario", name: "bank" } },
    { page: "build", part: { kind: "agent", name: "card-specialist" } },
    { page: "replay", sessionId: "session-a_b" },
  ])("comes back as it was written: %j", (route) => {
    expect(parseRoute(formatRoute(route))).toEqual(route);
  });

  it.each(["", "#", "#/", "#talk"])("means talking when it is %j", (hash) => {
    expect(parseRoute(hash)).toEqual({ page: "talk" });
  });

  it.each(["#nonsense", "#talks", "#/build2/agent"])("names no page when it is %j", (hash) => {
    expect(parseRoute(hash)).toEqual({ page: "unknown" });
  });

  it("of a conversation that was shared when the page was called Watch still shows it", () => {
    expect(parseRoute("#watch/session-1?status=ended")).toEqual({
      page: "conversations",
      sessionId: "session-1",
      query: { page: 1, status: "ended" },
    });
  });

  it.each(["#calls?page=0", "#calls?page=last", "#conversations?page=0"])(
    "begins the list at its first page: %j",
    (hash) => {
      expect(parseRoute(hash)).toMatchObject({ query: { page: 1 } });
    },
  );

  it("of a conversation needs no query", () => {
    expect(formatRoute({ page: "conversations", sessionId: "session-1" })).toBe("#conversations/session-1");
  });

  it("has a status or an outcome, and days that are days", () => {
    expect(parseRoute("#calls?status=failed&outcome=busy&from=yesterday&to=2026-03-31")).toEqual({
      page: "calls",
      query: { page: 1, status: "failed", to: "2026-03-31" },
    });
  });

  it("survives what nobody encoded", () => {
    expect(parseRoute("#watch/%zz")).toEqual({ page: "conversations", sessionId: undefined, query: { page: 1 } });
  });
});
