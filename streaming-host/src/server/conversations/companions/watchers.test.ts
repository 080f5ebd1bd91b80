import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import type { EffectOutcome } from "../../../session/conversation/host-effects.ts";
import { createWatchers } from "./watchers.ts";

function rig() {
  const clock = new VirtualClock();
  const told: unknown[] = [];
  const publish = (notice: { readonly payload: object }): void => void told.push(notice.payload);
  const reasons: string[] = [];
  const onEnd = (reason: string): void => void reasons.push(reason);
  return { clock, told, reasons, watchers: createWatchers({ publish, channel: "phone", clock, onEnd }) };
}

const ended = (reason: string) => [{ name: "session_ended", reason }];

describe("those who watch a conversation", () => {
  it("are told that the caller has left", () => {
    const { told, watchers } = rig();
    watchers.sessionEnded("finished");
    expect(told).toEqual(ended("caller_left"));
  });

  it("[HS-10c] are told that the connection to a phone was lost, which does not mean that the caller has left", () => {
    const { told, watchers } = rig();
    watchers.sessionEnded("lost");
    expect(told).toEqual(ended("connection_lost"));
  });

  it("[HS-10a] are told that the caller was put through, also when the socket closes before the news of it comes", async () => {
    const { clock, told, watchers } = rig();
    const outcome = Promise.withResolvers<EffectOutcome>();
    watchers.transferring(outcome.promise);
    watchers.sessionEnded("finished");
    await clock.advanceAsync(500);
    expect(told).toEqual([]);
    outcome.resolve({ ok: true });
    await clock.advanceAsync(1);
    expect(told).toEqual(ended("transferred"));
  });

  it("are told that the caller has left who hangs up while the other phone rings", async () => {
    const { clock, told, watchers } = rig();
    watchers.transferring(new Promise(() => undefined));
    watchers.sessionEnded("finished");
    await clock.advanceAsync(3000);
    expect(told).toEqual(ended("caller_left"));
  });

  it("are told once, and the session keeps why", () => {
    const { told, reasons, watchers } = rig();
    watchers.tell({ type: "event", payload: { name: "session_ended", reason: "agent_ended" } });
    watchers.sessionEnded("finished");
    expect(told).toHaveLength(1);
    expect(reasons).toEqual(["agent_ended"]);
  });
});
