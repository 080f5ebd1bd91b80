import { expect, it } from "vitest";

import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { ConversationInfo } from "../api/conversations-api.ts";
import type { SessionDetails } from "../api/service-api.ts";
import type { SocketEvents } from "@voice/client-kit/connection/reconnecting-socket";
import { LiveWallSession } from "./live-session.ts";

function opened() {
  const clock = new VirtualClock();
  const rows: ConversationInfo[] = [];
  const needs: string[] = [];
  let events: SocketEvents | undefined;
  let connections = 0;
  const details: SessionDetails = {
    scenario: "bank",
    active_agent: "desk",
    conversation_history: [
      {
        role: "assistant",
        content: "Welcome.",
        agent: "desk",
        turn_id: "t-0",
        timestamp: new Date(clock.wallNow() - 5000).toISOString(),
        interrupted: false,
      },
    ],
    failures: [],
    recordings: [],
  };
  const wall = new LiveWallSession({
    clock,
    random: () => 0,
    whenBack: () => () => undefined,
    openSocket: (_url, sink) => {
      events = sink;
      connections += 1;
      return { send: () => undefined, close: () => undefined };
    },
    socketUrl: () => "ws://service/relay",
    api: { page: async () => ({ conversations: rows, next: null, total: rows.length }), session: async () => details },
    onNeeds: (needy) => {
      const now = [...needy].toSorted().join(" ");
      if (now !== (needs.at(-1) ?? "")) needs.push(now);
    },
  });
  const begin = (id: string): void => {
    rows.unshift({
      session_id: id,
      started_at: new Date(clock.wallNow()).toISOString(),
      duration_ms: 0,
      channel: "browser",
      agents: ["desk"],
      active_agent: "desk",
      outcome: "in_progress",
      cost: undefined,
    });
  };
  const tell = (id: string, payload: object): void =>
    events?.onText(JSON.stringify({ type: "event", session_id: id, timestamp: "2026-01-01T00:00:00.000Z", payload }));
  const shown = () => wall.store.get().cards?.map(({ card }) => card.sessionId);
  const lose = (): void => events?.onClose(1006, "");
  return { clock, wall, rows, needs, begin, tell, shown, lose, connections: () => connections };
}

const thinks = { name: "state_change", state: "thinking", agent: "desk" };

it("shows what was said before the wall was opened, and what begins and ends while it is", async () => {
  const { clock, wall, rows, begin, tell, shown } = opened();
  begin("a");
  const stop = wall.watch();
  await clock.advanceAsync(501, 501);
  await clock.advanceAsync(501, 501);
  expect(wall.store.get().cards?.[0]?.card.words).toEqual({ speaker: "agent", text: "Welcome." });
  begin("b");
  await clock.advanceAsync(5000, 500);
  expect(shown()).toEqual(["a", "b"]);
  tell("a", { name: "session_ended", reason: "caller_left" });
  await clock.advanceAsync(501, 501);
  expect(shown()).toEqual(["b"]);
  rows.splice(0);
  await clock.advanceAsync(5000, 500);
  expect(shown()).toEqual([]);
  stop();
});

it("[WALL-3] tells which conversations need somebody, and none when it is left", async () => {
  const { clock, wall, needs, begin, tell, shown } = opened();
  begin("a");
  begin("b");
  const stop = wall.watch();
  await clock.advanceAsync(501, 501);
  tell("b", thinks);
  await clock.advanceAsync(9000, 500);
  expect(shown()).toEqual(["b", "a"]);
  expect(needs).toEqual(["b"]);
  tell("b", { ...thinks, state: "speaking" });
  await clock.advanceAsync(1000, 500);
  tell("a", thinks);
  await clock.advanceAsync(8000, 500);
  expect(shown()).toEqual(["a", "b"]);
  expect(needs).toEqual(["b", "", "a"]);
  stop();
  expect(needs.at(-1)).toBe("");
});

it("connects again as soon as the user asks for it", async () => {
  const { clock, wall, lose, connections } = opened();
  const stop = wall.watch();
  await clock.advanceAsync(1);
  lose();
  await clock.advanceAsync(1);
  expect(connections()).toBe(1);
  wall.retry();
  await clock.advanceAsync(1);
  expect(connections()).toBe(2);
  stop();
});
