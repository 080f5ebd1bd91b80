import { expect, it } from "vitest";
import { startCallRig, startConnectedCall } from "../testing/call-rig.ts";

it("[VM-4] keeps that a machine has taken a call, and tells it once, however many hosts hear it", async () => {
  const rig = await startConnectedCall();
  const shown: string[] = [];
  await rig.state.liveUpdates.watch("all", ({ text }) => shown.push(text));
  const details = { evidence: "beep", answer: "message" };
  const told = (): number => shown.filter((text) => text.includes("voicemail detected")).length;
  await rig.control.recordAnswer("connection-1", "machine", details);
  expect(told()).toBe(1);
  await rig.control.recordAnswer("connection-1", "machine", details);
  expect(await rig.record()).toMatchObject({ answeredBy: "machine" });
  const log = (await rig.state.calls.events("call-1")).filter(({ type }) => type === "voicemail.detected");
  expect(log).toMatchObject([{ details }]);
  expect(told()).toBe(1);
});

it("call control has nothing left to do once it is closed", async () => {
  const rig = await startCallRig();
  await rig.control.close();
  expect(rig.clock.pendingTimers).toBe(0);
});
