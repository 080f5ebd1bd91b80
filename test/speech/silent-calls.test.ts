/**
 * Phone calls whose audio breaks, with the vendor's SDK, real sockets, and each way in which the communication service may
 * take it. Rules: docs/calls.md, MEDIA.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OnBrokenStream } from "../../local/emulators/comm/call-stream.ts";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";
import { testClock } from "../support/test-clock.ts";
import { eventually } from "../support/wait.ts";

let rig: PhoneRig;

beforeAll(async () => {
  rig = await startPhoneRig();
});

afterAll(async () => {
  await rig.close();
});

/** The service takes what the docs do not say in one of these ways. */
const ways: readonly OnBrokenStream[] = [
  "opens it again",
  "reports a failure",
  "reports that it stopped",
  "says nothing",
];

describe("a call whose stream breaks", () => {
  it.each(ways)("[MEDIA-2a] [MEDIA-8a] has it back within 3 s each of four times, when the service %s", async (way) => {
    rig.network.emulator.onBrokenStream = way;
    const phone = rig.network.expectCall({ actions: [], staysOnTheLine: true });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await rig.hasStatus(callId, "connected");
    const emulated = rig.emulated(await rig.call(callId));
    const streams = (): number => emulated.streams.opened;
    await eventually(() => streams() === 1, "the call has its stream");
    const recoveriesMs: number[] = [];
    for (let breaks = 1; breaks <= 4; breaks++) {
      const brokenAtMs = testClock.now();
      emulated.streams.break();
      await eventually(() => streams() > breaks, "the call has its stream again");
      recoveriesMs.push(Math.round(testClock.now() - brokenAtMs));
    }
    console.log(`the service ${way}; the stream is back after (ms): ${recoveriesMs.join(" ")}`);
    expect(Math.max(...recoveriesMs)).toBeLessThan(3000);
    expect(streams()).toBe(5);
    expect(emulated.state).toBe("connected");
    emulated.hangUp("phone");
    await phone.finished;
    await rig.hasStatus(callId, "disconnected");
  });

  it("[MEDIA-10] has it back within 3 s when the socket stays open and nothing comes", async () => {
    const phone = rig.network.expectCall({ actions: [], staysOnTheLine: true });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await rig.hasStatus(callId, "connected");
    const { streams } = rig.emulated(await rig.call(callId));
    await eventually(() => streams.opened === 1, "the call has its stream");
    const stalledAtMs = testClock.now();
    streams.stall();
    await eventually(() => streams.opened === 2, "the call has its stream again");
    const recoveredMs = Math.round(testClock.now() - stalledAtMs);
    console.log(`a socket without frames; the stream is back after ${recoveredMs} ms`);
    expect(recoveredMs).toBeLessThan(3000);
    await rig.hangUp(callId);
    await phone.finished;
    await rig.hasStatus(callId, "disconnected");
  });

  it("[MEDIA-2b] [MEDIA-9] is told so and hung up when the stream cannot be opened any more", async () => {
    rig.network.emulator.onBrokenStream = "says nothing";
    const phone = rig.network.expectCall({ actions: [], staysOnTheLine: true });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await rig.hasStatus(callId, "connected");
    const emulated = rig.emulated(await rig.call(callId));
    await eventually(() => emulated.streams.opened === 1, "the call has its stream");
    emulated.streams.lose();
    await phone.finished;
    expect(emulated.state).toBe("disconnected");
    const events = await rig.service.state.calls.events(callId);
    expect(events.filter(({ type }) => type === "stream.lost" || type === "announcement.played")).toMatchObject([
      { type: "stream.lost", details: { answer: "end", failure: "media_streaming_failed" } },
      { type: "announcement.played", details: { words: "silent", outcome: "done" } },
    ]);
  });
});
