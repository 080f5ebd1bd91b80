/** What HTTP requests change about agents, scenarios and customers reaches conversations that run, on every host. */
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { demoProfileSchema } from "@voice/demo/tools/customers/profile";
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";
import { startApi, type Api } from "./http/api-harness.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { executedCommands } from "../support/redis-commands.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { connectBrowser, knock, type Browser } from "../support/browser-client.ts";
import { testClock } from "../support/test-clock.ts";
import { startTestHost, type TestHost } from "../support/test-host.ts";
import { eventually } from "../support/wait.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function started(answer?: LanguageModel["stream"]) {
  const state = createMemoryState({ clock: systemClock });
  const host = await startTestHost({ state, answer });
  cleanups.push(() => host.close());
  const api = await startApi({}, { state });
  cleanups.push(() => api.close());
  return { state, api, host, conversation: host.url("/api/v1/browser/conversation") };
}

async function call(api: Api, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await api.call(method, `/api/v1${path}`, body);
  if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

/**
 * Types a turn that has to see a change. A turn waits 250 ms at most for the check, so time stands still until the model is
 * asked: a slow machine does not make the store a slow one.
 */
async function askAfterChange(host: TestHost, browser: Browser, text: string): Promise<string> {
  const release = testClock.hold();
  const requests = host.modelRequests.length;
  const reachesModel = eventually(() => host.modelRequests.length > requests, `"${text}" reaches the model`);
  const [answer] = await Promise.all([browser.ask(text), reachesModel.finally(release)]);
  return answer;
}

/** What each piece of the session's stored messages is about. */
async function storedMessages({ messageLog }: Pick<State, "messageLog">, sessionId: string) {
  const pieces = await messageLog.read(sessionId);
  return pieces.map((piece) =>
    storedPiece.parse(JSON.parse(piece)).map(({ type, payload: { state, name } }) => state ?? name ?? type),
  );
}

const storedPiece = z.array(
  z.object({ type: z.string(), payload: z.object({ state: z.string().optional(), name: z.string().optional() }) }),
);

const prompt = "You repeat what you hear.";

describe("a conversation that runs", () => {
  it("[LIVE-1] speaks with the new voice and the new model from its next typed turn", async () => {
    const { api, host, conversation } = await started();
    const browser = await connectBrowser(`${conversation}?scenario=banking`);
    cleanups.push(() => browser.close());
    await browser.ask("one");
    const agent = host.modelRequests.at(-1)?.agent.name ?? "";
    await call(api, "PUT", `/agents/${agent}`, {
      voice: { voice_name: "en-US-GuyNeural" },
      model: { temperature: 0.125 },
    });
    await askAfterChange(host, browser, "two");
    expect(host.synthesiser.requests.at(-1)?.voice.name).toBe("en-US-GuyNeural");
    expect(host.modelRequests.at(-1)?.settings.temperature).toBe(0.125);
  });

  it("[LIVE-2] goes on with the agent that was made for it, and in the scenario that was made for it", async () => {
    const { api, state, host, conversation } = await started();
    const browser = await connectBrowser(`${conversation}?scenario=banking`);
    cleanups.push(() => browser.close());
    await browser.ask("one");
    const { sessionId } = browser;
    await call(api, "POST", `/agents?session_id=${sessionId}`, { name: "echo", prompt });
    await call(api, "POST", `/scenarios?session_id=${sessionId}`, {
      name: "echoes",
      description: "Only an echo.",
      agents: ["echo"],
      start_agent: "echo",
    });
    await askAfterChange(host, browser, "two");
    expect(host.modelRequests.at(-1)?.agent.name).toBe("echo");
    expect(host.modelRequests.at(-1)?.messages[0]?.content).toContain(prompt);
    expect(browser.of("handoff").concat(browser.of("event").filter(({ name }) => name === "handoff"))).toMatchObject([
      { to: "echo", type: "discrete" },
    ]);
    await eventually(async () => {
      const record = await state.sessions.get(sessionId);
      return typeof record !== "string" && record.scenario === "echoes" && record.activeAgent === "echo";
    }, "the session's record follows");
  });

  it("[LIVE-3] has the customer that is generated for it from its next turn, and its tools change that customer", async () => {
    const { api, host, state, conversation } = await started(obedient);
    const browser = await connectBrowser(`${conversation}?scenario=banking&agent=card-specialist`);
    cleanups.push(() => browser.close());
    await browser.ask("hello");
    const generated = await api.call("POST", "/api/v1/profiles/generate", {
      session_id: browser.sessionId,
      full_name: "Ada Lovelace",
    });
    const profileId = /"profile_id":"([^"]+)"/.exec(generated.text)?.[1] ?? "";
    const stored = demoProfileSchema.parse((await state.profiles.get(profileId))?.document);
    const card = stored.cards[0]?.type;
    const identity = { full_name: "Ada Lovelace", ssn_last4: stored.verification_codes.ssn4 };
    await askAfterChange(host, browser, `verify_identity ${JSON.stringify(identity)}`);
    await browser.ask(`block_card ${JSON.stringify({ card })}`);
    const changed = demoProfileSchema.parse((await state.profiles.get(profileId))?.document);
    expect(changed.cards.find(({ type }) => type === card)?.status).toBe("blocked");
    expect(browser.of("event").filter(({ name, status }) => name === "tool_call" && status === "success")).toHaveLength(
      2,
    );
  });
});

/** A model that calls the tool it is told to. */
const obedient: LanguageModel["stream"] = async function* ({ messages }) {
  const last = messages.at(-1);
  const [, name, argumentsJson] = /^(\w+) (\{.*\})$/.exec(last?.content ?? "") ?? [];
  if (last?.role === "user" && name !== undefined && argumentsJson !== undefined) {
    yield { type: "tool-call", call: { id: `call-${messages.length}`, name, argumentsJson } };
    yield { type: "finished", reason: "tool-calls" };
    return;
  }
  yield { type: "text-delta", text: "Done." };
  yield { type: "finished", reason: "stop" };
};

describe("a profile", () => {
  it("[LIVE-3] that does not exist is refused before the session starts, and in a configuration with an error", async () => {
    const { host, conversation } = await started();
    expect(await knock(`${conversation}?profile_id=profile-unknown`)).toEqual({ status: 404, type: "not_found" });
    const browser = await connectBrowser(conversation);
    cleanups.push(() => browser.close());
    browser.send({ type: "config", profile_id: "profile-unknown" });
    await eventually(() => browser.of("error").some(({ code }) => code === "not_found"), "the refusal");
    expect(await browser.ask("still there")).toBe("You said still there.");
    expect(host.url("")).toContain("127.0.0.1");
  });

  it("gives the recogniser the caller's name", async () => {
    const { api, host, conversation } = await started();
    const generated = await api.call("POST", "/api/v1/profiles/generate", { full_name: "Ada Lovelace" });
    expect(generated.body).toMatchObject({ name: "Ada Lovelace" });
    const id = /"profile_id":"([^"]+)"/.exec(generated.text)?.[1] ?? "";
    const browser = await connectBrowser(`${conversation}?profile_id=${id}`);
    cleanups.push(() => browser.close());
    expect(host.recogniser.last.options.hints.phrases).toContain("Ada Lovelace");
  });
});

describe.skipIf(!isRedisAvailable())("on Redis", () => {
  it("[LIVE-2] [HS-4] an agent that was made for a session is there on the host that takes over", async () => {
    const server = await startRedisServer({ args: ["--appendonly", "no"] });
    cleanups.push(() => server.stop());
    const open = async () => {
      const state = await openRedisState(server.endpoint, { clock: systemClock, logger: silentLogger });
      cleanups.push(() => state.close());
      return state;
    };
    const [first, second, third] = [await open(), await open(), await open()];
    const api = await startApi({}, { state: third });
    cleanups.push(() => api.close());
    const lost = await startTestHost({ state: first });
    const before = await connectBrowser(lost.url("/api/v1/browser/conversation?scenario=banking"));
    await before.ask("one");
    const { sessionId } = before;
    await call(api, "POST", `/agents?session_id=${sessionId}`, {
      name: "echo",
      prompt,
      greeting: "I repeat.",
      return_greeting: "I repeat again.",
      guardrails: { word: { pattern: "sesame", replace: "barley" } },
    });
    await call(api, "POST", `/scenarios?session_id=${sessionId}`, {
      name: "echoes",
      agents: ["echo"],
      start_agent: "echo",
    });
    await askAfterChange(lost, before, "two");
    expect(before.of("handoff").concat(before.of("event"))).toContainEqual(expect.objectContaining({ to: "echo" }));
    await lost.close();

    const host = await startTestHost({ state: second });
    cleanups.push(() => host.close());
    const after = await connectBrowser(host.url(`/api/v1/browser/conversation?session_id=${sessionId}`));
    cleanups.push(() => after.close());
    expect(after.of("session").at(-1)).toMatchObject({ resumed: true, agent: "echo", scenario: "echoes" });
    expect(await after.ask("open sesame")).toBe("You said open barley.");
    expect(host.modelRequests.at(-1)?.messages[0]?.content).toContain(prompt);
  });

  it("[LIVE-1] a turn reaches another host's change, which is read once, and what did not change is not read", async () => {
    const server = await startRedisServer({ args: ["--appendonly", "no"] });
    cleanups.push(() => server.stop());
    const parts = { clock: systemClock, logger: silentLogger };
    const [mine, theirs] = await Promise.all([
      openRedisState(server.endpoint, parts),
      openRedisState(server.endpoint, parts),
    ]);
    cleanups.push(() => mine.close());
    cleanups.push(() => theirs.close());
    const host = await startTestHost({ state: mine });
    cleanups.push(() => host.close());
    const browser = await connectBrowser(host.url("/api/v1/browser/conversation"));
    cleanups.push(() => browser.close());
    await browser.ask("warm up");
    // What is stored of it is written behind the audio, and must not be counted.
    await eventually(
      async () =>
        (await mine.sessions.history(browser.sessionId)).some(({ content }) => content.includes("said warm up")),
      "the first turn's answer is stored",
    );
    await eventually(
      async () => (await storedMessages(mine, browser.sessionId)).at(-1)?.at(-1) === "listening",
      "the first turn's last message is stored",
    );
    // The host reports a new session at once, and after that seldom. Those commands are not part of the turn either.
    await eventually(
      async () => (await mine.hosts.list()).some(({ sessions }) => sessions.browser === 1),
      "the host has told of the session",
    );
    const agent = host.modelRequests.at(-1)?.agent.name ?? "";
    await theirs.agents.putOverride(agent, 0, { voice: { voice_name: "en-US-GuyNeural" } });

    const admin = server.admin();
    await eventually(() => mine.changes.markOf(browser.sessionId) !== undefined, "the host is told of changes");
    const before = await storedMessages(mine, browser.sessionId);
    await admin.config("RESETSTAT");
    await askAfterChange(host, browser, "two");
    expect(host.synthesiser.requests.at(-1)?.voice.name).toBe("en-US-GuyNeural");
    // What whoever watches was sent is stored with the answer.
    const stored = async () => (await storedMessages(mine, browser.sessionId)).slice(before.length);
    await expect.poll(async () => (await stored()).length).toBe(1);
    expect((await stored())[0]?.slice(0, 4)).toEqual(["transcript", "thinking", "response", "speaking"]);
    const counts = await executedCommands(admin);
    const count = (command: string): number => counts.get(command) ?? 0;
    // The question, and the answer with its metrics. Nothing about what did not change. Of the scripts here, a host's heartbeat alone asks
    // for the server's time, and is not of the turn.
    const heartbeats = count("time");
    expect(count("evalsha") + count("eval") - heartbeats).toBe(2);
    // Overrides, agents, scenarios: before the turn, in one go, and not after it.
    expect(count("hvals")).toBe(3);
    await askAfterChange(host, browser, "three");
    await expect.poll(async () => (await mine.sessions.history(browser.sessionId)).at(-1)?.content).toContain("three");
    expect((await executedCommands(admin)).get("hvals")).toBe(3);
  });
});
