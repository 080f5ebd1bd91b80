import { describe, expect, it } from "vitest";
import { VoiceError } from "@voice/shared/platform/errors";
import type { CallStatus } from "@voice/shared/contracts/calls/call-status";
import type { NewSession, SessionRecord } from "@voice/shared/state/ports/session-store";
import { startCallRig } from "../../testing/call-rig.ts";
import type { CallRig } from "../../testing/call-rig.ts";

const recording = {
  recordingId: "r-1",
  startedAtMs: 0,
  sampleRateHz: 16_000,
  channels: 2,
  status: "recording",
} as const;

/** A call that is over, with a conversation that nobody has ended. */
async function startAbandoned(change: Partial<NewSession> = {}, status: CallStatus = "disconnected") {
  const rig = await startCallRig();
  await rig.create({ status, callConnectionId: "connection-1" });
  await rig.state.sessions.create({
    sessionId: "session-1",
    channel: "phone",
    streamingMode: "MEDIA",
    scenario: "default",
    activeAgent: "concierge",
    visitedAgents: [],
    status: "active",
    hostId: "host-that-died",
    memory: {},
    createdAtMs: 0,
    ...change,
  });
  const shown: string[] = [];
  await rig.state.liveUpdates.watch("all", ({ text }) => shown.push(text));
  return { ...rig, ends: () => shown.filter((text) => text.includes("session_ended")) };
}

async function session({ state }: Pick<CallRig, "state">): Promise<SessionRecord> {
  const found = await state.sessions.get("session-1");
  return typeof found === "string" ? expect.fail(found) : found;
}

async function reasons({ state }: Pick<CallRig, "state">): Promise<unknown[]> {
  const log = await state.calls.events("call-1");
  return log.flatMap((entry) => (entry.type === "conversation.ended" ? [entry.details.reason] : []));
}

describe("a conversation whose call is over", () => {
  it("[END-8] is ended by the host that learns of it, when its own host is gone", async () => {
    const rig = await startAbandoned();
    await rig.hear("CallDisconnected");
    await rig.settle(9000);
    expect(await session(rig)).toMatchObject({ status: "active" });
    await rig.settle(2000);
    expect(await session(rig)).toMatchObject({ status: "ended" });
    expect(await reasons(rig)).toEqual(["host_lost"]);
    expect(rig.ends()).toEqual([expect.stringContaining('"reason":"host_lost"')]);
  });

  it("[END-8] is ended when its host has left without a successor", async () => {
    const rig = await startAbandoned({ hostId: undefined });
    await rig.hear("CallDisconnected");
    await rig.settle(11_000);
    expect(await session(rig)).toMatchObject({ status: "ended" });
  });

  it("[END-8] [ONCE-1] is ended once, however many hear of it", async () => {
    const rig = await startAbandoned();
    const hearings = [rig.hear("CallDisconnected"), rig.hear("CallDisconnected", { eventId: "again" })];
    await rig.settle(25_000);
    await Promise.all(hearings);
    expect(await reasons(rig)).toEqual(["host_lost"]);
    expect(rig.ends()).toHaveLength(1);
    expect((await session(rig)).version).toBe(2);
  });

  it("[END-8] is left to its own host while that is alive", async () => {
    const rig = await startAbandoned();
    await rig.hear("CallDisconnected");
    await rig.settle(2000);
    await rig.state.sessions.update("session-1", 1, { status: "ended" });
    await rig.settle(20_000);
    expect(await reasons(rig)).toEqual([]);
    expect(rig.ends()).toEqual([]);
    expect((await session(rig)).version).toBe(2);
  });

  it("[END-8] [REC-7] leaves no recording marked as running", async () => {
    const rig = await startAbandoned({ recordings: [recording] });
    await rig.hear("CallDisconnected");
    await rig.settle(11_000);
    expect((await session(rig)).recordings).toEqual([{ ...recording, status: "interrupted" }]);
  });

  it("[END-5] [END-8] is ended also when the service sends no last event for the call", async () => {
    const rig = await startAbandoned({}, "connected");
    rig.serviceSays("gone");
    rig.failures.push(new VoiceError("call_not_found", "gone"));
    await rig.terminate();
    await rig.settle(17_000);
    expect((await rig.record()).status).toBe("disconnected");
    expect(await session(rig)).toMatchObject({ status: "ended" });
  });

  it("[END-8] [ONCE-2] is left to another host, when this one leaves meanwhile", async () => {
    const rig = await startAbandoned();
    await rig.hear("CallDisconnected");
    await Promise.all([rig.control.close(), rig.settle(20_000)]);
    expect(await session(rig)).toMatchObject({ status: "active" });
    expect(await reasons(rig)).toEqual([]);
  });
});
