import { describe, expect, it } from "vitest";

import { formatRoute, parseRoute } from "./route.ts";
import type { Route } from "./route.ts";

describe("the address", () => {
  it.each<Route>([
    { page: "talk" },
    { page: "live" },
    { page: "system" },
    { page: "calls" },
    { page: "calls", search: "call-1 & more" },
    { page: "conversations", sessionId: undefined, filter: {} },
    {
      page: "conversations",
      sessionId: undefined,
      filter: { outcome: "failed", channel: "phone", search: "+12025550123" },
    },
    { page: "conversations", sessionId: "session-a_b", filter: { from: "2026-03-01T00:00", last: 60 } },
    { page: "conversations", sessionId: "a/b c?", filter: {} },
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
    expect(parseRoute("#watch/session-1?status=active")).toEqual({
      page: "conversations",
      sessionId: "session-1",
      filter: { outcome: "in_progress" },
    });
  });

  it("of a conversation needs no query", () => {
    expect(formatRoute({ page: "conversations", sessionId: "session-1" })).toBe("#conversations/session-1");
  });

  it("survives what nobody encoded", () => {
    expect(parseRoute("#watch/%zz")).toEqual({ page: "conversations", sessionId: undefined, filter: {} });
  });
});
