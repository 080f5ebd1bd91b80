import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import type { SessionNotice } from "../../../transports/transport.ts";
import { createMessageLog } from "./message-log.ts";

const atMs = Date.UTC(2026, 0, 1);
const piece = (text: string): SessionNotice => ({
  type: "response",
  payload: { text, agent: "Concierge", turn_id: "turn-1", is_final: false },
});
const said = (text: string, isFinal: boolean): SessionNotice => ({
  type: "transcript",
  payload: { text, is_final: isFinal, speaker: "user" },
});

function rig() {
  const stored: unknown[] = [];
  const append = async (_sessionId: string, text: string): Promise<void> => {
    const messages: unknown = JSON.parse(text);
    stored.push(messages);
  };
  const clock = new VirtualClock();
  const log = createMessageLog({ append }, "session-1", clock, silentLogger);
  const taken = (): unknown => JSON.parse(log.take()?.piece ?? "null");
  return { stored, clock, log, taken };
}

it("[TIMELINE-1] stores what was said whole, and neither levels nor what was recognised so far", async () => {
  const { log, taken } = rig();
  log.add({ type: "audio_levels", payload: { input: 1, output: 0 } }, atMs);
  log.add(said("I lost", false), atMs);
  log.add(said("I lost my card", true), atMs + 1);
  expect(taken()).toMatchObject([{ type: "transcript", session_id: "session-1", payload: { text: "I lost my card" } }]);
  expect(taken()).toBeNull();
});

it("[TIMELINE-1] stores the pieces of an answer as one, before what followed it", async () => {
  const { log, taken } = rig();
  for (const [index, text] of ["Good ", "morning.", "How are you?"].entries()) {
    log.add(piece(text), atMs + index);
    expect(taken()).toBeNull();
  }
  log.add({ type: "event", payload: { name: "playout_finished", turn_id: "turn-1" } }, atMs + 5);
  expect(taken()).toMatchObject([
    {
      type: "response",
      timestamp: "2026-01-01T00:00:00.000Z",
      until: "2026-01-01T00:00:00.002Z",
      payload: { text: "Good morning. How are you?", is_final: false },
    },
    { type: "event" },
  ]);
});

it("[TIMELINE-6] stores an answer so far for somebody who begins to watch in its middle, and the rest when it follows", async () => {
  const { stored, log, taken } = rig();
  log.add(piece("Good morning."), atMs);
  await log.writeAll();
  log.add(piece("How are you?"), atMs + 9);
  log.add(said("fine", true), atMs + 10);
  expect(stored).toMatchObject([[{ payload: { text: "Good morning." } }]]);
  expect(taken()).toMatchObject([{ payload: { text: "How are you?" } }, { payload: { text: "fine" } }]);
});

it("[TIMELINE-1] stores within 15 s what no turn has taken with it, and at once that the conversation has ended", () => {
  const { stored, clock, log } = rig();
  log.add(said("hello", true), atMs);
  clock.advance(14_000);
  log.add(said("are you there", true), atMs);
  expect(stored).toEqual([]);
  clock.advance(1000);
  expect(stored).toMatchObject([[{ payload: { text: "hello" } }, { payload: { text: "are you there" } }]]);
  log.add({ type: "event", payload: { name: "session_ended", reason: "finished" } }, atMs);
  expect(stored).toMatchObject([{}, [{ payload: { name: "session_ended" } }]]);
  clock.advance(60_000);
  expect(stored).toHaveLength(2);
});
