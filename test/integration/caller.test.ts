import { afterEach, describe, expect, it } from "vitest";

import { connectCaller } from "../../local/caller/caller.ts";
import { startFakeService, type FakeService, type FakeServiceOptions } from "../fakes/conversation-server.ts";

const SAMPLE_RATE_HZ = 16_000;
/** Fast, to keep the tests short; still longer than the interruption needs. */
const MS_PER_CHARACTER = 12;
const services: FakeService[] = [];

async function openService(options: FakeServiceOptions = {}): Promise<{ service: FakeService; url: URL }> {
  const service = await startFakeService({ msPerCharacter: MS_PER_CHARACTER, ...options });
  services.push(service);
  return { service, url: new URL("/api/v1/browser/conversation", service.origin.replace("http", "ws")) };
}

function buzz(durationMs: number): Int16Array {
  return Int16Array.from({ length: (durationMs * SAMPLE_RATE_HZ) / 1000 }, (_, index) =>
    index % 40 < 20 ? 8000 : -8000,
  );
}

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()));
});

describe("the caller over a real socket", () => {
  it("hears the greeting, speaks, and hears the answer with its tool call and handoff", async () => {
    const { service, url } = await openService();
    using caller = await connectCaller({ url });
    const greeting = await caller.waitForReply();
    expect(greeting.says.map(({ text }) => text)).toEqual(["Welcome to the bank. How can I help you?"]);

    await caller.speak(buzz(600));
    const reply = await caller.waitForReply();
    expect(reply).toMatchObject({
      heardText: "I want to check my balance",
      toolCalls: [{ name: "get_account_balance", result: { balance: 1250.75 } }],
      handoffs: [{ from: "front_desk", to: "banking", type: "announced" }],
      says: [{ agent: "banking" }],
      errors: [],
    });
    // The fake waits 500 ms for the end of the turn and thinks for 120; a busy machine adds to that.
    expect(reply.firstAudioMs).toBeGreaterThan(600);
    expect(reply.firstAudioMs).toBeLessThan(5000);
    expect(service.conversations[0]?.inputs[0]).toMatchObject({ type: "config", audio_output: "binary" });
  });

  it("keeps both sides in step: the agent's track is as long as its answers and lies after the caller's words", async () => {
    const { url } = await openService();
    using caller = await connectCaller({ url });
    await caller.waitForReply();
    const spoken = await caller.speak(buzz(400));
    const reply = await caller.waitForReply();
    const stereo = caller.recording.stereo();
    const left = stereo.filter((_, index) => index % 2 === 0);
    const right = stereo.filter((_, index) => index % 2 === 1);
    const lastWordMs = (left.findLastIndex((sample) => sample !== 0) * 1000) / SAMPLE_RATE_HZ;
    const answerMs =
      (right.findIndex((sample, index) => index > (lastWordMs * SAMPLE_RATE_HZ) / 1000 && sample !== 0) * 1000) /
      SAMPLE_RATE_HZ;
    // 60 ms of player delay come on top of the arrival.
    expect(answerMs - lastWordMs).toBeCloseTo((reply.firstAudioMs ?? 0) + 60, -1);
    expect(spoken.stoppedMs - spoken.startedMs).toBeCloseTo(400, 0);
    const tonesMs = (right.filter((sample) => sample !== 0).length * 1000) / SAMPLE_RATE_HZ;
    const meantMs =
      MS_PER_CHARACTER * ("Welcome to the bank. How can I help you?".length + (reply.says[0]?.text.length ?? 0));
    expect(tonesMs / meantMs).toBeGreaterThan(0.95);
    expect(tonesMs / meantMs).toBeLessThan(1.05);
  });

  it("interrupts: what was queued is dropped and the agent falls silent", async () => {
    const { url } = await openService();
    using caller = await connectCaller({ url });
    await caller.waitForReply();
    caller.type("tell me about my balance");
    await caller.waitForAgentAudio();
    await caller.pause(300);
    await caller.speak(buzz(300));
    await caller.waitForReply();
    const states = caller.records.map((record) => {
      if (record.kind === "audio") return "audio";
      const { message } = record;
      if (message.type !== "event") return "other";
      return message.payload.name === "state_change" ? message.payload.state : message.payload.name;
    });
    const interrupted = states.indexOf("barge_in");
    expect(interrupted).toBeGreaterThan(-1);
    const untilTheAnswer = states.slice(interrupted, states.indexOf("thinking", interrupted));
    expect(untilTheAnswer).toContain("listening");
    expect(untilTheAnswer).not.toContain("audio");
    const answer = "Your checking balance is one thousand two hundred fifty dollars and seventy five cents.";
    const spokenMs = ["Welcome to the bank. How can I help you?", answer, answer].join("").length * MS_PER_CHARACTER;
    const heardMs =
      (caller.recording.stereo().filter((sample, at) => at % 2 === 1 && sample !== 0).length * 1000) / SAMPLE_RATE_HZ;
    expect(spokenMs - heardMs).toBeGreaterThan(200);
  });

  it("names the status and the reason when the service refuses", async () => {
    const { url } = await openService({ refuseWith: 503 });
    await expect(connectCaller({ url })).rejects.toThrow(/refused the connection: HTTP 503 The fake refuses\./);
  });

  it("asks whether the service is running when nobody listens", async () => {
    const { service, url } = await openService();
    await service.close();
    await expect(connectCaller({ url })).rejects.toThrow(/cannot connect to 127\.0\.0\.1:\d+: is the service running/);
  });

  it("reports how the service closed in the middle of a wait", async () => {
    const { service, url } = await openService();
    using caller = await connectCaller({ url });
    const reply = caller.waitForReply();
    service.conversations[0]?.drop(1012, "restarting");
    await expect(reply).rejects.toThrow("the service closed the connection (1012: restarting)");
  });
});
