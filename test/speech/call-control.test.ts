/**
 * What is done to a call besides talking on it, over the local telephone network: context, numbers with a scenario of
 * their own, calls that are only written down. Rules: docs/calls.md.
 */
import { inspect } from "node:util";
import type { LogFields, Logger } from "@voice/shared/platform/logger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { eventually } from "../support/wait.ts";
import { eventsOf, startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";

/** Nobody's words but ours: found nowhere else. */
const secretPurpose = "the turquoise envelope";
const logLines: string[] = [];

let rig: PhoneRig;

beforeAll(async () => {
  rig = await startPhoneRig(
    { logger: keepLines(logLines), sentences: () => ["i want to check my balance"] },
    { COMM_SCENARIOS: `${phoneNumbers.service}=insurance/policy-advisor` },
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

describe("a call", () => {
  it("[OUT-6b] is about what was said when it was asked for, and nothing of it is logged", async () => {
    const phone = rig.network.expectCall({ actions: [] });
    const callId = await rig.initiate({
      phone_number: phoneNumbers.person,
      scenario: "default",
      context: { caller_name: "Pat", purpose: secretPurpose },
    });
    await phone.finished;
    expect(await rig.spokenInAll(callId)).toEqual([
      expect.stringMatching(new RegExp(`Hello Pat, this is Harbor Bank. I am calling about ${secretPurpose}`)),
    ]);
    const { sessionId } = await rig.call(callId);
    const session = await rig.service.state.sessions.get(sessionId);
    expect(session).toMatchObject({ memory: { context: { caller_name: "Pat" } } });
    expect(logLines.filter((line) => line.includes(secretPurpose) || line.includes(phoneNumbers.person))).toEqual([]);
  });

  it("[IN-4] goes to the agent that its number is for", async () => {
    await rig.network.call({ actions: [] });
    const { calls } = await rig.service.state.calls.list({ offset: 0, limit: 50 });
    const inbound = calls.find(({ call }) => call.direction === "inbound")?.call;
    const session = await rig.service.state.sessions.get(inbound?.sessionId ?? "");
    expect(session).toMatchObject({ scenario: "insurance", activeAgent: "policy-advisor" });
  });
});

describe("a call that is only written down", () => {
  it("[MEDIA-5] brings the words that the service recognised, is shown as it is said, and hears nothing of us", async () => {
    const updates: string[] = [];
    const stop = await rig.service.state.liveUpdates.watch("all", ({ text }) => updates.push(text));
    const phone = rig.network.expectCall({
      actions: [{ kind: "say", text: "I want to check my balance" }],
      patienceMs: 3000, // an agent that spoke would begin in the first of them
      staysOnTheLine: true,
    });
    const callId = await rig.initiate({ target_number: phoneNumbers.person, streaming_mode: "TRANSCRIPTION" });
    await eventually(
      async () => (await rig.spoken(callId)).includes("user: i want to check my balance"),
      "what was said is written down",
    );
    expect(await rig.log(callId)).toContain("TranscriptionStarted");
    await rig.hangUp(callId);
    await phone.finished;
    await stop();
    expect(eventsOf("heard", phone.events)).toEqual([]);
    expect(await rig.spokenInAll(callId)).toHaveLength(1);
    const { sessionId } = await rig.call(callId);
    const shown = updates.filter((text) => text.includes(sessionId) && text.includes('"transcript"'));
    expect(shown.some((text) => text.includes('"is_final":false'))).toBe(true);
    expect(shown.at(-1)).toContain('"text":"i want to check my balance","is_final":true');
  });
});
