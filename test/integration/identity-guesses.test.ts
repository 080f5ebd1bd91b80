/** Who guesses at a customer's identity has three tries, however the conversations are begun. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { defaultProfile } from "@voice/demo/profiles/default-profile";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";
import { connectBrowser, type Browser } from "../support/browser-client.ts";
import { startTestHost, type TestHost } from "../support/test-host.ts";
import { eventually } from "../support/wait.ts";

/** A model that checks every four digits it hears. */
const checksDigits: LanguageModel["stream"] = async function* ({ messages }) {
  const last = messages.at(-1);
  if (last?.role === "user" && /^\d{4}$/.test(last.content)) {
    const argumentsJson = JSON.stringify({ ssn_last4: last.content });
    yield { type: "tool-call", call: { id: `call-${messages.length}`, name: "verify_identity", argumentsJson } };
    yield { type: "finished", reason: "tool-calls" };
    return;
  }
  yield { type: "text-delta", text: "Well." };
  yield { type: "finished", reason: "stop" };
};

const wrong = "0000";
const right = defaultProfile.verification_codes.ssn4;

const state = createMemoryState({ clock: systemClock });
let hosts: readonly TestHost[] = [];

beforeAll(async () => {
  hosts = await Promise.all([1, 2].map(() => startTestHost({ state, answer: checksDigits })));
});

afterAll(async () => {
  await Promise.all(hosts.map((host) => host.close()));
  await state.close();
});

async function connect(host: TestHost | undefined, profileId?: string): Promise<Browser> {
  if (host === undefined) throw new Error("no host");
  const query = new URLSearchParams({ scenario: "banking", agent: "card-specialist" });
  if (profileId !== undefined) query.set("profile_id", profileId);
  return connectBrowser(host.url(`/api/v1/browser/conversation?${query.toString()}`));
}

async function guess(browser: Browser, digits: string): Promise<unknown> {
  await browser.ask(digits);
  const ended = browser.of("event").filter(({ name, status }) => name === "tool_call" && status !== "running");
  return ended.at(-1)?.["result"];
}

describe("three wrong guesses", () => {
  it.each([
    ["at a customer that is kept", "profile-ada"],
    ["at the customer of the demonstration, by one address", undefined],
  ])(
    "[ACCESS-12a] [ACCESS-12b] %s are three after a reset, on a new socket, and on another host",
    async (_whom, profileId) => {
      if (profileId !== undefined) await state.profiles.create({ profileId, document: { ...defaultProfile } });
      const first = await connect(hosts[0], profileId);
      expect(await guess(first, wrong)).toMatchObject({ error: "wrong_details" });
      const before = first.sessionId;
      first.send({ type: "control", action: "reset" });
      await eventually(() => first.sessionId !== before, "the conversation begins anew");
      expect(await guess(first, wrong)).toMatchObject({ error: "wrong_details" });
      await first.close();
      const second = await connect(hosts[1], profileId);
      expect(await guess(second, wrong)).toMatchObject({ error: "too_many_attempts" });
      await second.close();
      const third = await connect(hosts[0], profileId);
      expect(await guess(third, right)).toMatchObject({ error: "too_many_attempts" });
      await third.close();
    },
  );

  it("[ACCESS-12b] at one customer leave those at another", async () => {
    await state.profiles.create({ profileId: "profile-bea", document: { ...defaultProfile } });
    const other = await connect(hosts[1], "profile-bea");
    expect(await guess(other, right)).toMatchObject({ success: true });
    await other.close();
  });
});
