import type { ToolTrialOutcome } from "@voice/shared/contracts/stream/tool-trial";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { SocketEvents } from "@voice/client-kit/connection/reconnecting-socket";
import { describe, expect, it } from "vitest";

import { ToolTrialSession } from "./tool-trial-session.ts";
import { reasonOf } from "./describe-tool-trial.ts";

const description = {
  tool: "block_card",
  description: "Blocks a card.",
  parameters: { type: "object" },
  changes: "something",
  timeout_ms: 8000,
  slow_notice: null,
  memory: {},
};
const outcome: ToolTrialOutcome = {
  id: "1",
  tool: "block_card",
  outcome: "done",
  problem: null,
  changes: "something",
  result: { success: true },
  duration_ms: 3,
  was_slow: false,
  effects: [],
  memory: { last_card: "credit" },
};

function begin() {
  const sent: unknown[] = [];
  const sockets: SocketEvents[] = [];
  const session = new ToolTrialSession({
    clock: new VirtualClock(),
    random: () => 0,
    whenBack: () => () => undefined,
    openSocket: (_url, events) => {
      sockets.push(events);
      return {
        send: (data) => void sent.push(typeof data === "string" ? JSON.parse(data) : data),
        close: () => undefined,
      };
    },
    socketUrl: () => "wss://voice.example/api/v1/realtime/tools",
  });
  session.open({ tool: "block_card", agent: "card-specialist" });
  const tell = (type: string, payload: object) => sockets.at(-1)?.onText(JSON.stringify({ type, payload }));
  return { session, sent, sockets, tell };
}

const attempt = { arguments: { card: "credit" }, profileId: null, confirmed: true };

describe("a page that tries tools", () => {
  it("[BUILD-9] asks what the tool takes, tries it once at a time, and shows what came of it", () => {
    const { session, sent, sockets, tell } = begin();
    session.attempt(attempt);
    expect(session.store.get().problem).toContain("nothing ran");
    sockets[0]?.onOpen();
    tell("tool_description", description);
    session.attempt(attempt);
    session.attempt(attempt);
    expect(sent.slice(2)).toEqual([
      expect.objectContaining({ type: "try_tool", tool: "block_card", agent: "card-specialist", profile_id: null }),
    ]);
    tell("tool_trial", { ...outcome, id: "2" });
    expect(session.store.get()).toMatchObject({ isRunning: false, memory: { last_card: "credit" }, description });
  });

  it("[BUILD-9] says that something may have been done where the connection breaks while it runs", () => {
    const { session, sockets, tell } = begin();
    sockets[0]?.onOpen();
    tell("tool_description", description);
    session.attempt(attempt);
    sockets[0]?.onClose(1006, "");
    expect(session.store.get()).toMatchObject({ isRunning: false, memory: {} });
    expect(session.store.get().problem).toContain("may have been changed all the same");
  });

  it("[BUILD-9] gives the tool's own words for what went wrong", () => {
    const failed: ToolTrialOutcome = {
      ...outcome,
      outcome: "not_known",
      result: { message: "I cannot tell.", note: "It was sent." },
    };
    expect(reasonOf(failed)).toBe("It was sent.");
    expect(reasonOf({ ...failed, outcome: "not_done" })).toBe("I cannot tell.");
    expect(reasonOf(outcome)).toBeUndefined();
    expect(reasonOf({ ...outcome, outcome: "not_run", problem: "There is no such profile." })).toContain("no such");
  });
});
