import { describe, expect, it } from "vitest";

import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { ConversationInfo, ConversationPage, ConversationParameters } from "../api/conversations-api.ts";
import { ConversationsSession } from "./conversations-session.ts";

const row = (at: number, facts: Partial<ConversationInfo> = {}): ConversationInfo => ({
  session_id: `session-${at}`,
  started_at: new Date(Date.UTC(2026, 2, 1, 0, 0, at)).toISOString(),
  duration_ms: 1000,
  channel: "browser",
  agents: [],
  outcome: "completed",
  cost: undefined,
  ...facts,
});

function opened() {
  const clock = new VirtualClock();
  const requests: (ConversationParameters & { readonly after?: string | undefined })[] = [];
  /** The newest first. */
  const stored: ConversationInfo[] = [];
  let isAway = false;
  const page = (after: string | undefined, limit: number): ConversationPage => {
    const from = after === undefined ? 0 : Number(after);
    const conversations = stored.slice(from, from + limit);
    const next = from + limit < stored.length ? String(from + limit) : null;
    return { conversations, next, total: stored.length };
  };
  const session = new ConversationsSession({
    clock,
    api: {
      async page(parameters, { limit, after }) {
        requests.push({ ...parameters, after });
        if (isAway) throw new TypeError("no connection");
        return page(after, limit);
      },
      csv: async () => new Blob(["a,b\r\n"]),
    },
  });
  const settle = () => clock.advanceAsync(1);
  const refresh = () => clock.advanceAsync(3000, 3000);
  const shown = () => session.store.get().rows?.map(({ session_id: id }) => id);
  return {
    session,
    stored,
    requests,
    settle,
    refresh,
    shown,
    goAway: (away: boolean) => {
      isAway = away;
    },
  };
}

describe("the table of conversations in the page", () => {
  it("shows what the filter finds, and refreshes it", async () => {
    const { session, stored, requests, settle, refresh, shown } = opened();
    stored.push(row(2), row(1));
    session.show({ channel: "phone", failed: true });
    await settle();
    expect(requests[0]).toMatchObject({ channel: "phone", failed: "true" });
    expect(shown()).toEqual(["session-2", "session-1"]);
    stored[1] = row(1, { outcome: "failed" });
    await refresh();
    expect(session.store.get().rows?.[1]?.outcome).toBe("failed");
  });

  it("reads a page after the other, and keeps them while the first is refreshed", async () => {
    const { session, stored, settle, refresh, shown } = opened();
    for (let at = 250; at > 0; at -= 1) stored.push(row(at));
    session.show({});
    await settle();
    expect(shown()).toHaveLength(100);
    await session.loadMore();
    await session.loadMore();
    expect(shown()).toHaveLength(250);
    expect(session.store.get().hasMore).toBe(false);
    stored.unshift(row(251));
    await refresh();
    expect(shown()).toHaveLength(251);
    expect(session.store.get().hasMore).toBe(false);
  });

  it("[OPS-13] lets no new row in under the pointer, and says how many wait", async () => {
    const { session, stored, settle, refresh, shown } = opened();
    stored.push(row(1));
    session.show({});
    await settle();
    session.hold(true);
    stored.unshift(row(2, { outcome: "in_progress" }));
    await refresh();
    stored.unshift(row(3));
    stored[2] = row(1, { outcome: "failed" });
    await refresh();
    expect(shown()).toEqual(["session-1"]);
    expect(session.store.get().rows?.[0]?.outcome).toBe("failed");
    expect(session.store.get().newCount).toBe(2);
    session.hold(false);
    expect(shown()).toEqual(["session-3", "session-2", "session-1"]);
    expect(session.store.get().newCount).toBe(0);
  });

  it("keeps what it has while the service is away, and says so", async () => {
    const { session, stored, settle, refresh, shown, goAway } = opened();
    stored.push(row(1));
    session.show({});
    await settle();
    goAway(true);
    await refresh();
    expect(shown()).toEqual(["session-1"]);
    expect(session.store.get().problem).toBeDefined();
    goAway(false);
    await refresh();
    expect(session.store.get().problem).toBeUndefined();
  });

  it("shows nothing of the list before, and that list again to whoever comes back", async () => {
    const { session, stored, settle, shown } = opened();
    stored.push(row(1));
    const leave = session.show({ channel: "phone" });
    await settle();
    leave();
    session.show({ channel: "phone" });
    expect(shown()).toEqual(["session-1"]);
    session.show({ channel: "browser" });
    expect(shown()).toBeUndefined();
  });

  it("exports the whole list, whatever of it is shown", async () => {
    const { session, stored, settle } = opened();
    for (let at = 450; at > 0; at -= 1) stored.push(row(at));
    session.show({});
    await settle();
    const saved: Blob[] = [];
    await session.export("json", (content) => saved.push(content));
    await session.export("csv", (content) => saved.push(content));
    expect(JSON.parse((await saved[0]?.text()) ?? "")).toHaveLength(450);
    expect(await saved[1]?.text()).toBe("a,b\r\n");
  });
});
