/** What was set for a conversation holds for the one that follows it on the same socket, and for every further config. */
import { describe, expect, it } from "vitest";
import { conversationsRig } from "../../../testing/conversations-rig.ts";

/** Longer than the greeting and than any answer. */
const aWhileMs = 500;

const prompt = "You repeat what you hear.";
const myVoice = { voice: { voice_name: "my-voice" } };

describe("a reset", () => {
  it("[CTRL-2] goes on with the agents and the scenarios that were made for the session", async () => {
    const { connect, pass, state } = conversationsRig();
    const sessionId = "session-with-its-own";
    await state.agents.create(sessionId, "waiter", { name: "waiter", prompt, greeting: "What would you like?" });
    const restaurant = { name: "restaurant", agents: ["waiter"], start_agent: "waiter" };
    await state.scenarios.create(sessionId, "restaurant", restaurant);
    const browser = await connect({ sessionId });
    await pass(aWhileMs);
    browser.say({ type: "control", action: "reset" });
    await pass(aWhileMs);
    expect(browser.of("session").map(({ agent, scenario }) => [agent, scenario])).toEqual([
      ["waiter", "restaurant"],
      ["waiter", "restaurant"],
    ]);
    const fresh = browser.sessionIds.at(-1) ?? "";
    expect(fresh).not.toBe(sessionId);
    expect((await state.agents.list(fresh)).map(({ name }) => name)).toEqual(["waiter"]);
    expect((await state.scenarios.list(fresh)).map(({ name }) => name)).toEqual(["restaurant"]);
  });

  it("[CTRL-2] goes on with the agent that alone was made for the session", async () => {
    const { connect, pass, state } = conversationsRig();
    const sessionId = "session-with-an-agent";
    await state.agents.create(sessionId, "waiter", { name: "waiter", prompt });
    const browser = await connect({ sessionId });
    browser.say({ type: "control", action: "reset" });
    await pass(aWhileMs);
    expect(browser.of("session").at(-1)).toMatchObject({ agent: "waiter", resumed: false });
  });

  it("[CTRL-2] goes on with the customer that the session was bound to over HTTP, as long as there is one", async () => {
    const { connect, pass, state } = conversationsRig();
    const document = { full_name: "Ada Lovelace" };
    for (const profileId of ["profile-there", "profile-gone"]) {
      if (profileId === "profile-there")
        await state.profiles.create({ profileId, document, sessionId: undefined, owner: undefined });
      const browser = await connect({ sessionId: `session-of-${profileId}` });
      await pass(aWhileMs);
      const record = await state.sessions.get(browser.sessionIds.at(-1) ?? "");
      if (typeof record === "string") throw new Error("there is no session");
      await state.sessions.update(record.sessionId, record.version, { profileId });
      browser.say({ type: "control", action: "reset" });
      await pass(aWhileMs);
      expect(browser.of("session").at(-1)).toMatchObject({ resumed: false });
      const fresh = await state.sessions.get(browser.sessionIds.at(-1) ?? "");
      const kept = profileId === "profile-there" ? profileId : undefined;
      expect(fresh).toMatchObject({ sessionId: expect.not.stringContaining(profileId) });
      expect(typeof fresh === "string" ? fresh : fresh.profileId).toBe(kept);
    }
  });

  it("[CTRL-2] goes on without the customer whom the client has named, once their profile has expired", async () => {
    const { connect, pass, state } = conversationsRig();
    const profileId = "profile-of-a-day";
    await state.profiles.create({
      profileId,
      document: {},
      sessionId: undefined,
      owner: undefined,
      lifeSpanMs: aWhileMs,
    });
    const browser = await connect({ sessionId: "session-of-two-days", profileId });
    await pass(2 * aWhileMs);
    browser.say({ type: "control", action: "reset" });
    await pass(aWhileMs);
    expect(browser.of("error")).toEqual([]);
    const fresh = await state.sessions.get(browser.sessionIds.at(-1) ?? "");
    expect(fresh).toMatchObject({ sessionId: expect.not.stringContaining("two-days"), status: "active" });
    expect(typeof fresh === "string" ? fresh : fresh.profileId).toBeUndefined();
  });

  it("[CTRL-2] goes on in the scenario of a session that was resumed by its id alone", async () => {
    const { connect, pass } = conversationsRig();
    const sessionId = "session-in-a-bank";
    const first = await connect({ sessionId, scenario: "banking" });
    await pass(aWhileMs);
    first.leave();
    await pass(aWhileMs);
    const browser = await connect({ sessionId });
    await pass(aWhileMs);
    browser.say({ type: "control", action: "reset" });
    await pass(aWhileMs);
    expect(browser.of("session").at(-1)).toMatchObject({ scenario: "banking", resumed: false });
  });

  it("[ACCESS-9] [CTRL-2] by an operator leaves the session its owner's", async () => {
    const { connect, pass, state } = conversationsRig();
    const sessionId = "session-of-alice";
    const alice = await connect({ sessionId, owner: "alice" });
    await pass(aWhileMs);
    alice.leave();
    await pass(aWhileMs);
    const operator = await connect({ sessionId });
    operator.say({ type: "control", action: "reset" });
    await pass(aWhileMs);
    const fresh = operator.sessionIds.at(-1) ?? "";
    expect(fresh).not.toBe(sessionId);
    expect(await state.sessions.get(fresh)).toMatchObject({ owner: "alice" });
  });

  it("[CTRL-2] goes on with the voice that a config gave an agent", async () => {
    const { connect, pass, synthesiser } = conversationsRig();
    const browser = await connect({ scenario: "banking" });
    await pass(aWhileMs);
    browser.say({ type: "config", agent_overrides: { "banking-concierge": myVoice } });
    await pass(aWhileMs);
    browser.say({ type: "control", action: "reset" });
    await pass(aWhileMs);
    browser.type("hello");
    await pass(aWhileMs);
    expect(synthesiser.requests.at(-1)?.voice.name).toBe("my-voice");
  });
});

describe("a config", () => {
  it("[HS-6] leaves what an earlier one said of the agents as it is", async () => {
    const { connect, pass, synthesiser } = conversationsRig();
    const browser = await connect({ scenario: "banking" });
    await pass(aWhileMs);
    browser.say({ type: "config", agent_overrides: { "banking-concierge": myVoice } });
    await pass(aWhileMs);
    browser.say({ type: "config", time_zone: "Europe/Berlin" });
    await pass(aWhileMs);
    browser.say({ type: "config", agent_overrides: { "card-specialist": myVoice } });
    await pass(aWhileMs);
    browser.say({ type: "config", agent_overrides: { "banking-concierge": { voice: { voice_style: "calm" } } } });
    await pass(aWhileMs);
    browser.type("hello");
    await pass(aWhileMs);
    expect(synthesiser.requests.at(-1)?.voice).toMatchObject({ name: "my-voice", style: "calm" });
  });

  it("[HS-6] that is refused leaves what an earlier one said as it is", async () => {
    const { connect, pass, synthesiser } = conversationsRig();
    const browser = await connect({ scenario: "banking" });
    await pass(aWhileMs);
    browser.say({ type: "config", agent_overrides: { "banking-concierge": myVoice } });
    await pass(aWhileMs);
    browser.say({ type: "config", scenario: "no-such-scenario" });
    await pass(aWhileMs);
    browser.type("hello");
    await pass(aWhileMs);
    expect(synthesiser.requests.at(-1)?.voice.name).toBe("my-voice");
  });
});
