import { afterEach, describe, expect, it } from "vitest";

import { connectCaller } from "../../local/caller/caller.ts";
import { lastAudibleSample } from "../../local/person/audible.ts";
import {
  balanceAnswer,
  scriptedGreeting,
  spokenToAgents,
  startScriptedService,
  type ScriptedService,
} from "../support/scripted-service.ts";
import { spokenLine } from "../support/speech-engines.ts";

const SAMPLE_RATE_HZ = 16_000;
/** Fast, to keep the tests short; still longer than the interruption needs. */
const MS_PER_CHARACTER = 12;
const services: ScriptedService[] = [];

async function openService(): Promise<{ service: ScriptedService; url: URL }> {
  const service = await startScriptedService({ msPerCharacter: MS_PER_CHARACTER });
  services.push(service);
  return { service, url: new URL("/api/v1/browser/conversation", service.origin.replace("http", "ws")) };
}

const line = () => spokenLine({ text: spokenToAgents, voice: "rms", sampleRateHz: SAMPLE_RATE_HZ });

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()));
});

describe("the caller over a real socket", () => {
  it("hears the greeting, speaks, and hears the answer with its tool call and handoff", async () => {
    const { url } = await openService();
    using caller = await connectCaller({ url });
    const greeting = await caller.waitForReply();
    expect(greeting.says.map(({ text }) => text)).toEqual([scriptedGreeting]);
    // It has asked for audio as bytes.
    const isAudioMessage = caller.records.some(
      ({ kind, ...record }) => kind === "message" && "message" in record && record.message.type === "audio",
    );
    expect(isAudioMessage).toBe(false);

    await caller.speak(await line());
    const reply = await caller.waitForReply();
    expect(reply).toMatchObject({
      heardText: spokenToAgents,
      toolCalls: [{ name: "get_account_balance", result: { balance: 2430.5 } }],
      says: [{ agent: "front-desk", text: balanceAnswer }],
      errors: [],
    });
    // From the end of the turn on; a busy machine adds to that.
    expect(reply.firstAudioMs).toBeGreaterThan(50);
    expect(reply.firstAudioMs).toBeLessThan(5000);
    caller.type("I lost my card");
    expect(await caller.waitForReply()).toMatchObject({
      handoffs: [{ from: "front-desk", to: "card-specialist", type: "announced" }],
      says: [{ agent: "card-specialist" }],
    });
  });

  it("keeps both sides in step: the agent's track is as long as its answers and lies after the caller's words", async () => {
    const { url } = await openService();
    using caller = await connectCaller({ url });
    await caller.waitForReply();
    const words = await line();
    const spoken = await caller.speak(words);
    const reply = await caller.waitForReply();
    const stereo = caller.recording.stereo();
    const left = stereo.filter((_, index) => index % 2 === 0);
    const right = stereo.filter((_, index) => index % 2 === 1);
    const lastWordMs = (lastAudibleSample(left) * 1000) / SAMPLE_RATE_HZ;
    const answerMs =
      (right.findIndex((sample, index) => index > (lastWordMs * SAMPLE_RATE_HZ) / 1000 && sample !== 0) * 1000) /
      SAMPLE_RATE_HZ;
    // 60 ms of player delay come on top of the arrival.
    expect(answerMs - lastWordMs).toBeCloseTo((reply.firstAudioMs ?? 0) + 60, -1);
    expect(spoken.stoppedMs - spoken.startedMs).toBeCloseTo(
      ((lastAudibleSample(words) + 1) * 1000) / SAMPLE_RATE_HZ,
      0,
    );
    const tonesMs = (right.filter((sample) => sample !== 0).length * 1000) / SAMPLE_RATE_HZ;
    const meantMs = MS_PER_CHARACTER * (scriptedGreeting.length + (reply.says[0]?.text.length ?? 0));
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
    await caller.speak(await line());
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
    const spokenMs = [scriptedGreeting, balanceAnswer, balanceAnswer].join("").length * MS_PER_CHARACTER;
    const heardMs =
      (caller.recording.stereo().filter((sample, at) => at % 2 === 1 && sample !== 0).length * 1000) / SAMPLE_RATE_HZ;
    expect(spokenMs - heardMs).toBeGreaterThan(200);
  });

  it("names the status and the reason when the service refuses", async () => {
    const { url } = await openService();
    await expect(connectCaller({ url, scenario: "nowhere" })).rejects.toThrow(
      /refused the connection: HTTP 404 There is no scenario of this name\./,
    );
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
    const failure = reply.catch((error: unknown) => String(error));
    await service.close();
    expect(await failure).toContain("the service closed the connection (1001: host is restarting");
  });
});
