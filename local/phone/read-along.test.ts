import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { State } from "@voice/shared/state/ports/state";
import { beforeEach, describe, expect, it } from "vitest";
import { readAlong } from "./read-along.ts";

const clock = new VirtualClock();
let state: State;
let lines: string[];
let over: AbortController;

function say(sessionId: string, text: string): void {
  const payload = { text, agent: "front-desk", turn_id: "turn-1", is_final: true };
  const message = { type: "response", session_id: sessionId, timestamp: "2026-01-01T00:00:00.000Z", payload };
  state.liveUpdates.publish({ sessionId, text: JSON.stringify(message) });
}

async function read(callId: string): Promise<void> {
  await readAlong(state, callId, ({ label, text }) => lines.push(`${label}: ${text}`), over.signal);
}

/** What is read is looked up first, in memory. */
const everythingIsRead = (): Promise<void> => new Promise(setImmediate);

beforeEach(() => {
  state = createMemoryState({ clock, logger: silentLogger });
  lines = [];
  over = new AbortController();
});

describe("reading a call along", () => {
  it("tells what is said in the session of the call, and in no other", async () => {
    await read("connection-1");
    await state.calls.create({
      callId: "call-1",
      callConnectionId: "connection-1",
      status: "connected",
      direction: "inbound",
      targetNumber: "+12025550100",
      callerNumber: "+12025550123",
      context: {},
      streamingMode: "MEDIA",
      recording: false,
      participants: [],
      sessionId: "session-1",
      createdAtMs: clock.wallNow(),
    });
    say("session-2", "Not for this phone.");
    say("session-1", "Hello.");
    say("session-1", "How can I help you?");
    await everythingIsRead();
    expect(lines).toEqual(["front-desk: Hello.", "front-desk: How can I help you?"]);
  });

  it("knows a platform's call by the id of its session", async () => {
    await read("session-3");
    say("session-3", "Hello.");
    await everythingIsRead();
    expect(lines).toEqual(["front-desk: Hello."]);
  });

  it("ends with the call", async () => {
    await read("session-3");
    over.abort();
    say("session-3", "Goodbye.");
    await everythingIsRead();
    expect(lines).toEqual([]);
  });
});
