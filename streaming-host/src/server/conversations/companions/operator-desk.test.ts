import { operatorTopic, type OperatorCommand } from "@voice/shared/contracts/events/operator-command";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { MemoryBroadcasts } from "@voice/shared/state/memory/broadcasts";
import { describe, expect, it } from "vitest";
import type { PeerEvent } from "../../../session/modes/peer-event.ts";
import { noRecorder } from "../../../session/recording/session-recorder.ts";
import { OperatorDesk } from "./operator-desk.ts";

function rig() {
  const broadcasts = new MemoryBroadcasts(silentLogger);
  const handled: PeerEvent[] = [];
  const told: unknown[] = [];
  const desk = new OperatorDesk({
    broadcasts,
    find: (sessionId) => (sessionId === "session-1" ? { handle: (event) => void handled.push(event) } : undefined),
    clock: new VirtualClock(),
    logger: silentLogger,
  });
  const { end } = desk.attend({
    sessionId: "session-1",
    sampleRateHz: 16_000,
    recorder: noRecorder,
    notices: {
      publish: ({ payload }) => void told.push(payload),
      repeatState: async () => void told.push("its state"),
    },
  });
  const command = (wish: OperatorCommand): void => broadcasts.send(operatorTopic, JSON.stringify(wish));
  return { command, handled, told, end };
}

describe("the operators' desk", () => {
  it("[OPS-4] has the call transferred as an agent would, and tells those who watch", () => {
    const { command, handled, told } = rig();
    command({ type: "transfer", sessionId: "session-1", target: "+12025550186" });
    expect(handled).toMatchObject([{ type: "effect-requested", effect: { type: "transfer", target: "+12025550186" } }]);
    expect(told).toEqual([{ name: "operator", action: "transfer" }]);
  });

  it("[OPS-5] ends a conversation whose session was reset or deleted, and calls that no operator's wish", () => {
    const { command, handled, told } = rig();
    command({ type: "end", sessionId: "session-1" });
    command({ type: "end", sessionId: "session-1", reason: "reset" });
    expect(handled).toEqual([
      { type: "farewell-requested", reason: "operator" },
      { type: "farewell-requested", reason: "reset" },
    ]);
    expect(told).toEqual([{ name: "operator", action: "end" }]);
  });

  it("[HS-10b] says what the agent is doing to somebody who begins to watch, and asks nothing of the conversation", () => {
    const { command, handled, told } = rig();
    command({ type: "watch", sessionId: "session-1" });
    expect([handled, told]).toEqual([[], ["its state"]]);
  });

  it("leaves the conversations of other hosts, and those that are over, alone", () => {
    const { command, handled, told, end } = rig();
    command({ type: "end", sessionId: "session-2" });
    end();
    command({ type: "say", sessionId: "session-1", text: "Hello?" });
    expect([handled, told]).toEqual([[], []]);
  });
});
