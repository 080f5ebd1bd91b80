import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { decodeMulaw, encodeMulaw } from "@voice/provider-kit/audio/mulaw";
import { FakeSocket } from "../../testing/fake-socket.ts";
import { hookSessionId, PlatformEnd } from "../../testing/platform-end.ts";
import type { HookEventName } from "./hook-events.ts";
import { HookLink } from "./hook-link.ts";
import { chooseMedia } from "./offered-media.ts";
import { HookTransport } from "./telephony-transport.ts";

const frame = new Int16Array(480).fill(1000);

function rig(channels: string[] = ["external"], wanted?: readonly HookEventName[]) {
  const clock = new VirtualClock();
  const socket = new FakeSocket();
  const platform = new PlatformEnd(socket);
  const link = new HookLink(socket, clock, hookSessionId);
  const media = chooseMedia([{ type: "audio", format: "PCMU", channels, rate: 8000 }]);
  if (media === undefined) expect.fail("the offer is acceptable");
  const transport = new HookTransport({
    link,
    media,
    clock,
    sampleRateHz: 24_000,
    languages: ["en-US", "de-DE"],
    events: wanted,
    logger: silentLogger,
  });
  platform.open();
  link.send("opened", {});
  const events: string[] = [];
  const samples: number[] = [];
  transport.setSession("s-1");
  transport.start({
    onAudio: (audio) => samples.push(...audio),
    onText: (text) => events.push(text),
    onDigits: (digits) => events.push(`digits ${digits}`),
    onControl: (action) => events.push(action),
    onConfig: () => events.push("config"),
    onLanguage: (language) => events.push(`language ${language}`),
    onTranscript: () => undefined,
    onCallerFinished: () => events.push("finished"),
    onClosed: (reason) => events.push(`closed: ${reason}`),
  });
  const entities = (): unknown[] =>
    platform.told.flatMap(({ type, parameters }) => (type === "event" ? [parameters["entities"]] : []).flat());
  return { clock, socket, platform, transport, events, samples, entities };
}

function userSaid(text: string, isFinal = true) {
  return {
    type: "transcript",
    payload: { text, is_final: isFinal, speaker: "user", start_ms: 1000, end_ms: 2500 },
  } as const;
}

describe("a conversation on the hook", () => {
  it("[HOOK-10] speaks in pieces of 200 ms, and fills the last one up with silence", () => {
    const { transport, socket } = rig();
    for (let at = 0; at < 12; at++) transport.sendAudio(frame);
    expect(socket.binary.map(({ length }) => length)).toEqual([1600]);
    transport.endAudio?.();
    const [first, last] = socket.binary;
    expect(last).toHaveLength(1600);
    expect(decodeMulaw(first ?? new Uint8Array())[800]).toBeCloseTo(1000, -2);
    expect(last?.subarray(400).every((byte) => byte === 0xff)).toBe(true);
  });

  it("[HOOK-6] hears the caller's channel of two, and speaks on both", () => {
    const { transport, socket, samples } = rig(["internal", "external"]);
    const [loud, quiet] = [encodeMulaw(Int16Array.of(20_000))[0] ?? 0, 0xff];
    socket.deliver(Uint8Array.from({ length: 1600 }, (_, index) => (index % 2 === 0 ? loud : quiet)));
    socket.deliver(Uint8Array.from({ length: 1601 }, (_, index) => (index % 2 === 0 ? loud : quiet)));
    expect(samples).toHaveLength(4800);
    expect(samples.every((sample) => Math.abs(sample) < 100)).toBe(true);
    for (let at = 0; at < 10; at++) transport.sendAudio(frame);
    const [chunk] = socket.binary;
    expect(chunk).toHaveLength(3200);
    expect(chunk?.[2000]).toBe(chunk?.[2001]);
  });

  it("[HOOK-11] has the platform drop what it may still play, once, and nothing where nothing is left", () => {
    const { transport, clock, entities, socket } = rig();
    transport.stopAudio();
    expect(entities()).toEqual([]);
    for (let at = 0; at < 15; at++) transport.sendAudio(frame);
    clock.advance(150);
    transport.stopAudio();
    transport.stopAudio();
    expect(entities()).toEqual([{ type: "barge_in", data: {} }]);
    // The half chunk that waited is forgotten with the rest.
    transport.endAudio?.();
    expect(socket.binary).toHaveLength(1);
    for (let at = 0; at < 10; at++) transport.sendAudio(frame);
    clock.advance(200);
    transport.stopAudio();
    expect(entities()).toHaveLength(1);
  });

  it("[HOOK-12c] [HOOK-12a] is deaf while it is paused, and passes keys on", () => {
    const { platform, socket, events, samples } = rig();
    platform.say("paused");
    socket.deliver(new Uint8Array(160));
    platform.say("resumed", { start: "PT1S", discarded: "PT5S" });
    platform.say("dtmf", { digit: "#" });
    platform.say("playback_started");
    platform.say("playback_completed");
    platform.say("update", { language: "de-DE" });
    platform.say("update", { language: "en-AU" });
    platform.say("update", { language: "fr-FR" });
    platform.say("update", { language: 7 });
    platform.say("update");
    expect(events).toEqual(["pause", "resume", "digits #", "language de-DE", "language en-US"]);
    expect(samples).toEqual([]);
    expect(platform.types.slice(1)).toEqual(Array.from({ length: 5 }, () => "updated"));
    socket.deliver(new Uint8Array(160));
    expect(samples).toHaveLength(480);
  });

  it("[HOOK-14a] tells what the caller finally said, in the platform's time", () => {
    const { transport, platform, entities } = rig();
    platform.say("discarded", { start: "PT0S", discarded: "PT2S" });
    transport.notify(userSaid("I lost"));
    expect(entities()).toHaveLength(1);
    transport.notify(userSaid("I lost my", false));
    transport.notify({ type: "transcript", payload: { text: "Sorry.", is_final: true, speaker: "agent" } });
    transport.notify({ type: "error", payload: { code: "internal_error", message: "…" } });
    expect(entities()).toEqual([
      {
        type: "transcript",
        data: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          channelId: 0,
          isFinal: true,
          offset: "PT3.000S",
          duration: "PT1.500S",
          alternatives: [{ confidence: 1, interpretations: [{ type: "display", transcript: "I lost" }] }],
        },
      },
    ]);
  });

  it("[HOOK-14b] [HOOK-14d] keeps what the caller keyed in out of the transcript, and reports the answer to it", () => {
    const { transport, entities } = rig(["external"], ["transcript", "bot_turn_response"]);
    const keyed = { text: "4111111111111111", is_final: true, speaker: "user", keyed: true } as const;
    transport.notify({ type: "transcript", payload: keyed });
    const answer = { text: "Thank you.", agent: "desk", turn_id: "turn-1", is_final: true, interrupted: false };
    transport.notify({ type: "response", payload: answer });
    expect(entities()).toEqual([{ type: "bot_turn_response", data: { disposition: "match", text: "Thank you." } }]);
  });

  it("[HOOK-14d] reports a reply as an answer whose words are transcribed after it, and not the one that follows", () => {
    const { transport, entities } = rig(["external"], ["bot_turn_response"]);
    const says = (turnId: string, text: string, more = {}): void =>
      transport.notify({
        type: "response",
        payload: { text, agent: "desk", turn_id: turnId, is_final: true, ...more },
      });
    says("turn-1", "Hello.");
    says("turn-2", "It is nine.", { is_answer: true });
    const late = { text: "what time is it", is_final: true, speaker: "user", turn_id: "turn-2" } as const;
    transport.notify({ type: "transcript", payload: late });
    says("turn-3", "Are you still there?");
    expect(entities()).toMatchObject([
      { data: { disposition: "match", text: "It is nine." } },
      { data: { disposition: "no_input", text: "Are you still there?" } },
    ]);
  });

  it("[HOOK-14a] counts the audio that it dropped while it was paused in the platform's time", () => {
    const { transport, platform, socket, entities } = rig();
    platform.say("paused");
    socket.deliver(new Uint8Array(8000));
    platform.say("resumed", { start: "PT1S", discarded: "PT4S" });
    transport.notify(userSaid("I lost"));
    expect(entities()).toMatchObject([{ data: { offset: "PT6.000S", duration: "PT1.500S" } }]);
  });

  it("[HOOK-14a] has the caller on the second channel where the platform does, with as much time in twice the audio", () => {
    const { transport, platform, socket, entities } = rig(["internal", "external"], ["transcript", "agent_transcript"]);
    platform.say("paused");
    socket.deliver(new Uint8Array(16_000));
    platform.say("resumed");
    transport.notify(userSaid("I lost"));
    const payload = { text: "Sorry.", agent: "desk", turn_id: "turn-1", is_final: true, interrupted: false };
    transport.notify({ type: "response", payload });
    expect(entities()).toMatchObject([{ data: { channelId: 1, offset: "PT2.000S" } }, { data: { channelId: 0 } }]);
  });

  it("[HOOK-14c] [HOOK-14d] tells what the agent said and what each turn came to, where that is asked for", () => {
    const { transport, entities } = rig(["external"], ["agent_transcript", "bot_turn_response"]);
    const says = (turnId: string, text: string, isFinal = true): void =>
      transport.notify({
        type: "response",
        payload: { text, agent: "desk", turn_id: turnId, is_final: isFinal, interrupted: false },
      });
    says("turn-1", "Hello.");
    transport.notify(userSaid("my balance"));
    says("turn-2", "You", false);
    says("turn-2", "You have ten dollars.");
    says("turn-2", "Anything else?");
    says("turn-3", "");
    says("turn-3", "Are you still there?");
    const transcript = (text: string) => ({
      type: "transcript",
      data: { channelId: 1, isFinal: true, alternatives: [{ interpretations: [{ transcript: text }] }] },
    });
    const response = (disposition: string, text: string) => ({
      type: "bot_turn_response",
      data: { disposition, text },
    });
    expect(entities()).toMatchObject([
      transcript("Hello."),
      transcript("You have ten dollars."),
      response("match", "You have ten dollars."),
      transcript("Anything else?"),
      transcript("Are you still there?"),
      response("no_input", "Are you still there?"),
    ]);
  });

  it("[HOOK-14e] is silent for as long as the platform asks, whatever it reports meanwhile", () => {
    const { transport, platform, clock, entities } = rig();
    platform.say("error", { code: 429, message: "slow down", retryAfter: "PT3S" });
    clock.advance(1000);
    platform.say("error", { code: 400, message: "an event was not understood" });
    clock.advance(1999);
    transport.notify(userSaid("one"));
    expect(entities()).toEqual([]);
    clock.advance(1);
    transport.notify(userSaid("two"));
    expect(entities()).toHaveLength(1);
  });

  it("[HOOK-13] gives the caller back with what the flow has to know, and cannot do more", () => {
    const { transport, platform } = rig();
    expect(transport.handBack?.({ type: "hold", seconds: 30 })).toBe(false);
    expect(transport.handBack?.({ type: "send-dtmf", digits: "1" })).toBe(false);
    expect(transport.handBack?.({ type: "transfer", target: "+12025550100", reason: "wants the branch" })).toBe(true);
    transport.setEndReason("finished");
    transport.close("finished");
    expect(platform.told.at(-1)).toMatchObject({
      type: "disconnect",
      parameters: {
        reason: "completed",
        outputVariables: {
          session_id: "s-1",
          end_reason: "transfer",
          transfer_target: "+12025550100",
          transfer_reason: "wants the branch",
        },
      },
    });
  });

  it("[HOOK-15a] [HOOK-15b] ends with the platform's close, or with a reason of its own", () => {
    const { transport, platform, events } = rig();
    platform.say("close", { reason: "end" });
    expect(events).toEqual(["closed: closed by the platform"]);
    transport.close("finished");
    expect(platform.types.at(-1)).toBe("closed");
    const failing = rig();
    failing.transport.setEndReason("realtime_lost");
    failing.transport.close("internal");
    expect(failing.platform.told.at(-1)).toMatchObject({
      type: "disconnect",
      parameters: { reason: "error", outputVariables: { session_id: "s-1", end_reason: "realtime_lost" } },
    });
  });
});
