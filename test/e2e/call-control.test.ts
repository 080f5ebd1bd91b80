/**
 * What is done to a call besides talking on it, over the local telephone network: hold, context, numbers with a scenario of
 * their own, calls that last too long. Rules: docs/calls.md.
 */
import { inspect } from "node:util";
import type { LogFields, Logger } from "@voice/shared/platform/logger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConversationRecording } from "../../local/caller/conversation-recording.ts";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { eventually } from "../support/wait.ts";
import { eventsOf, startPhoneRig } from "./support/phone-rig.ts";
import type { PhoneRig } from "./support/phone-rig.ts";

/** Nobody's words but ours: found nowhere else. */
const secretPurpose = "the turquoise envelope";
const logLines: string[] = [];

let rig: PhoneRig;

beforeAll(async () => {
  rig = await startPhoneRig(
    { logger: keepLines(logLines), sentences: () => ["i want to check my balance"] },
    { COMM_SCENARIOS: `${phoneNumbers.service}=insurance/policy-advisor`, COMM_MAX_CALL_DURATION: "60" },
  );
});

afterAll(async () => {
  await rig.close();
});

/** Everything that is logged, at every level; errors with their causes. */
function keepLines(lines: string[]): Logger {
  const keep = (fields: LogFields, message: string): void => {
    lines.push(`${message} ${inspect(fields, { depth: 8 })}`);
  };
  return { debug: keep, info: keep, warn: keep, error: keep, child: () => keepLines(lines) };
}

async function hasStatus(callId: string, status: string, boundMs = 30_000): Promise<void> {
  await eventually(async () => (await rig.call(callId)).status === status, `the call is ${status}`, boundMs);
}

async function logOf(callId: string): Promise<string[]> {
  const log = await rig.service.state.calls.events(callId);
  return log.map(({ type }) => type.slice(type.lastIndexOf(".") + 1));
}

describe("a call", () => {
  it("[OUT-6] is about what was said when it was asked for, and nothing of it is logged", async () => {
    const phone = rig.network.expectCall({ actions: [] });
    const callId = await rig.initiate({
      phone_number: phoneNumbers.person,
      scenario: "default",
      context: { caller_name: "Pat", purpose: secretPurpose },
    });
    await phone.finished;
    expect(await rig.spoken(callId)).toEqual([
      expect.stringMatching(new RegExp(`Hello Pat, this is Harbor Bank. I am calling about ${secretPurpose}`)),
    ]);
    const { sessionId } = await rig.call(callId);
    const session = await rig.service.state.sessions.get(sessionId);
    expect(session).toMatchObject({ memory: { context: { caller_name: "Pat" } } });
    expect(logLines.filter((line) => line.includes(secretPurpose) || line.includes(phoneNumbers.person))).toEqual([]);
  }, 60_000);

  it("[IN-4] goes to the agent that its number is for", async () => {
    await rig.network.call({ actions: [] });
    const { calls } = await rig.service.state.calls.list({ offset: 0, limit: 50 });
    const inbound = calls.find(({ call }) => call.direction === "inbound")?.call;
    const session = await rig.service.state.sessions.get(inbound?.sessionId ?? "");
    expect(session).toMatchObject({ scenario: "insurance", activeAgent: "policy-advisor" });
  }, 60_000);

  it("[END-4] is ended with a goodbye when it has lasted as long as it may", async () => {
    // Silence would end it before its time.
    const question = { kind: "say", text: "What can you do" } as const;
    const phone = rig.network.expectCall({
      actions: [question, question, question, question],
      staysOnTheLine: true,
    });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await phone.finished;
    expect((await rig.spoken(callId)).at(-1)).toContain("This call has lasted as long as it may");
    expect(eventsOf("ended", phone.events)).toMatchObject([{ why: "the service hung up" }]);
    await hasStatus(callId, "disconnected");
  }, 120_000);
});

describe("a call that is only written down", () => {
  it("[MEDIA-5] brings the words that the service recognised, is shown as it is said, and hears nothing of us", async () => {
    const updates: string[] = [];
    const stop = await rig.service.state.liveUpdates.watch("all", ({ text }) => updates.push(text));
    const phone = rig.network.expectCall({
      actions: [{ kind: "say", text: "I want to check my balance" }],
      staysOnTheLine: true,
    });
    const callId = await rig.initiate({ target_number: phoneNumbers.person, streaming_mode: "TRANSCRIPTION" });
    await eventually(
      async () => (await rig.spoken(callId)).includes("user: i want to check my balance"),
      "what was said is written down",
      60_000,
    );
    expect(await logOf(callId)).toContain("TranscriptionStarted");
    await rig.hangUp(callId);
    await phone.finished;
    await stop();
    expect(eventsOf("heard", phone.events)).toEqual([]);
    expect(await rig.spoken(callId)).toHaveLength(1);
    const { sessionId } = await rig.call(callId);
    const shown = updates.filter((text) => text.includes(sessionId) && text.includes('"transcript"'));
    expect(shown.some((text) => text.includes('"is_final":false'))).toBe(true);
    expect(shown.at(-1)).toContain('"text":"i want to check my balance","is_final":true');
  }, 120_000);
});

describe("hold", () => {
  const askFor = (seconds: string) => ({
    actions: [{ kind: "say", text: `please put me on hold for ${seconds} seconds` }] as const,
    staysOnTheLine: true,
  });

  async function saidAtLast(callId: string, words: string): Promise<void> {
    const isSaid = async (): Promise<boolean> => (await rig.spoken(callId)).at(-1)?.includes(words) ?? false;
    await eventually(isSaid, `the agent says "${words}"`, 60_000);
  }

  it("[EFFECT-2] [EFFECT-7] plays music after it was announced, gives the caller back and says so", async () => {
    const phone = rig.network.expectCall(askFor("six"));
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await hasStatus(callId, "on_hold");
    expect((await rig.spoken(callId)).at(-1)).toContain("You will hear music for six seconds");
    await eventually(
      async () => (await rig.call(callId)).participants.some(({ status }) => status === "on_hold"),
      "the participant is on hold",
    );
    await saidAtLast(callId, "Thank you for holding");
    expect((await rig.call(callId)).status).toBe("connected");
    const [greeting] = eventsOf("heard", phone.events);
    // What the agent said after the greeting takes about six seconds, and the music as much again.
    expect(audibleMs(phone.recording) - (greeting?.forMs ?? 0)).toBeGreaterThan(9000);
    await rig.hangUp(callId);
    await phone.finished;
    expect(await logOf(callId)).toEqual(expect.arrayContaining(["requested", "hold"]));
  }, 120_000);

  it("[EFFECT-4] [EFFECT-7] says that it could not be done when the service cannot", async () => {
    const phone = rig.network.expectCall(askFor("fifty"));
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await hasStatus(callId, "connected");
    rig.emulated(await rig.call(callId)).failHolds();
    await saidAtLast(callId, "I could not put you on hold");
    expect(await logOf(callId)).toContain("HoldFailed");
    await rig.hangUp(callId);
    await phone.finished;
  }, 120_000);
});

/** How much of what the service sent was sound. */
function audibleMs(recording: ConversationRecording | undefined): number {
  if (recording === undefined) return 0;
  const samples = recording.agentOnly();
  const frame = recording.sampleRateHz / 50;
  let frames = 0;
  for (let at = 0; at < samples.length; at += frame)
    if (samples.subarray(at, at + frame).some((sample) => Math.abs(sample) > 300)) frames += 1;
  return frames * 20;
}
