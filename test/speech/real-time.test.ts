/**
 * One conversation of each channel in real time, side by side on one service, with the local speech engines. All others are held faster; these show that
 * nothing in the product depends on that.
 */
import { systemClock } from "@voice/shared/platform/clock";
import { startLocalRealtimeService } from "@voice/local/realtime-service";
import type { RealtimeService } from "@voice/local/realtime-service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectCaller } from "../../local/caller/caller.ts";
import { builtInCatalog } from "../support/built-in-catalog.ts";
import { eventsOf, startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";
import { decodedSpeech } from "../support/speech-engines.ts";
import { eventually } from "../support/wait.ts";

let realtime: RealtimeService;
let rig: PhoneRig;

beforeAll(async () => {
  const { agents } = await builtInCatalog();
  realtime = await startLocalRealtimeService([...agents.values()], systemClock, decodedSpeech);
  rig = await startPhoneRig({ clock: systemClock, localSpeech: decodedSpeech }, realtime.environment);
});

afterAll(async () => {
  await rig.close();
  await realtime.close();
});

/** In real time a busy machine is heard as pauses and late answers, so these people take neither for the end. */
const person = {
  actions: [{ kind: "say", text: "I want to check my balance" }],
  patienceMs: 60_000,
  quietMs: 4000,
} as const;

describe.concurrent("in real time, a conversation", () => {
  it("in the browser greets and answers what is typed", async () => {
    using caller = await connectCaller({
      url: new URL(`ws://127.0.0.1:${rig.service.port}/api/v1/browser/conversation`),
    });
    const startedAtMs = performance.now();
    const greeting = await caller.waitForReply();
    // Heard to its end at the speed of speech.
    expect(performance.now() - startedAtMs).toBeGreaterThan(caller.recording.agentOnly().length / 16 - 2000);
    expect(greeting.says.at(-1)?.text).toContain("How can I help you today?");
    caller.type("I want to check my balance");
    expect((await caller.waitForReply()).says.at(-1)?.text).toBe("Sure. Checking or savings?");
  });

  it("on the phone greets, understands and answers", async () => {
    const phone = await rig.network.call(person);
    expect(eventsOf("heard", phone.events)).toHaveLength(2);
    const { calls } = await rig.service.state.calls.list({ offset: 0, limit: 1 });
    expect(await rig.spokenInAll(calls[0]?.call.callId ?? "")).toEqual([
      expect.stringContaining("assistant: Thank you for calling Harbor Bank"),
      "user: i want to check my balance",
      "assistant: Sure. Checking or savings?",
    ]);
  });

  it("through a telephony platform greets, understands and answers", async () => {
    const phone = await rig.network.callThroughPlatform(person);
    expect(eventsOf("heard", phone.events)).toHaveLength(2);
    const { sessions } = await rig.service.state.sessions.list({ limit: 10, offset: 0 });
    const { sessionId } = sessions.find(({ channel }) => channel === "telephony") ?? expect.fail("no such session");
    await eventually(async () => {
      const history = await rig.service.state.sessions.history(sessionId);
      return history.at(-1)?.content === "Sure. Checking or savings?";
    }, "the answer is stored");
  });
});
