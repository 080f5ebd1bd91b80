import { VoiceError } from "@voice/shared/platform/errors";
import { expect, it } from "vitest";
import { startCallRig, type CallRig } from "../../testing/call-rig.ts";

/** A connected call of a host that dies; another one is there. */
async function callOfDeadHost(): Promise<CallRig> {
  const rig = await startCallRig();
  await rig.create({ status: "connected", callConnectionId: "connection-1" });
  await rig.startAnotherHost();
  rig.control.carryStream(await rig.record());
  await rig.settle(1000);
  await rig.control.close();
  return rig;
}

const timeWithoutHost = async (rig: CallRig): Promise<number | undefined> =>
  rig.control.timeWithoutHost(await rig.record());

it("[TAKE-3h] the time without a host is counted from the last renewal of the dead host's lease where nothing was reported", async () => {
  const rig = await callOfDeadHost();
  await rig.settle(700);
  expect(await timeWithoutHost(rig)).toBeGreaterThanOrEqual(700);
  expect(await timeWithoutHost(rig)).toBeLessThan(1300);
});

it("[TAKE-3h] the time without a host is counted from the service's report, also when the lease has been taken away", async () => {
  const rig = await callOfDeadHost();
  await rig.hear("MediaStreamingFailed");
  await rig.settle(900);
  expect(await rig.state.callStreams.holderOf("call-1")).toBeUndefined();
  expect(await timeWithoutHost(rig)).toBeGreaterThanOrEqual(900);
  expect(await timeWithoutHost(rig)).toBeLessThan(1000);
});

it("[TAKE-3h] the time without a host includes the time until a host finds a call without a stream", async () => {
  const rig = await callOfDeadHost();
  await rig.settle(3000);
  expect(rig.operations()).toEqual(["startStream"]);
  expect(await timeWithoutHost(rig)).toBeGreaterThan(2000);
});

it("[TAKE-3h] the time without a host is not known where nothing is stored, where the store is away, or where the report is of an earlier stream", async () => {
  const rig = await startCallRig();
  await rig.create({ status: "connected", callConnectionId: "connection-1" });
  expect(await timeWithoutHost(rig)).toBeUndefined();
  const old = { eventId: "1", atMs: rig.clock.wallNow() - 60_000, isMended: false };
  const call = await rig.record();
  expect(await rig.control.timeWithoutHost({ ...call, streamFailures: [old] })).toBeUndefined();
  Object.assign(rig.state.callStreams, {
    leaseOf: () => Promise.reject(new VoiceError("cache_connection_failed", "away")),
  });
  expect(await timeWithoutHost(rig)).toBeUndefined();
});
