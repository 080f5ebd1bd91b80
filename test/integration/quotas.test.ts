/** What one client may begin and leave behind, and what it is told when it has reached the end of it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { maxDocumentsPerSession } from "@voice/shared/state/records/session-documents";
import { connectBrowser, knock } from "../support/browser-client.ts";
import { eventually } from "../support/wait.ts";
import { startTestService } from "../support/test-service.ts";
import type { Service } from "../../local/service.ts";

let service: Service;
let http: string;
let sockets: string;
let conversation: string;

beforeAll(async () => {
  const settings = loadSettings({
    PORT: "0",
    MAX_SESSIONS_PER_HOUR: "6",
    MAX_RESETS_PER_HOUR: "2",
    MAX_SESSION_DEFINITION_BYTES: "10000",
  });
  service = await startTestService({ settings, logger: silentLogger });
  http = `http://127.0.0.1:${service.port}/api/v1`;
  sockets = `ws://127.0.0.1:${service.port}/api/v1/browser/conversation`;
});
afterAll(async () => {
  await service.close(0);
});

function post(path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${http}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

describe("a client", () => {
  it("may begin afresh so often on one socket, and goes on with the conversation that it has", async () => {
    const browser = await connectBrowser(sockets);
    for (const resets of [1, 2]) {
      browser.send({ type: "control", action: "reset" });
      await eventually(() => browser.of("session").length === resets + 1, "the conversation has begun afresh");
    }
    const kept = browser.sessionId;
    browser.send({ type: "control", action: "reset" });
    await eventually(() => browser.of("error").some(({ code }) => code === "rate_limited"), "the reset is refused");
    expect(browser.sessionId).toBe(kept);
    conversation = kept;
    await browser.close();
  });

  it("may open so many sockets for conversations from one address", async () => {
    const answers = [];
    for (let at = 0; at < 6; at++) answers.push(await knock(sockets));
    expect(answers.at(-1)).toEqual({ status: 429, type: "rate_limited" });
  });

  it("may keep agents of so many bytes in one session", async () => {
    const agent = (name: string) => ({ name, prompt: "You help. ".repeat(600) });
    expect((await post("/agents?session_id=session-full", agent("One"))).status).toBe(200);
    const refused = await post("/agents?session_id=session-full", agent("Two"));
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      errors: [{ code: "quota_exceeded", message: expect.stringContaining("10000 bytes") }],
    });
    expect((await post("/agents?session_id=session-other", agent("Two"))).status).toBe(200);
  });

  it("may keep so many scenarios in one session, and is told how many", async () => {
    // Agents and scenarios are counted by the same code; these are the smaller.
    const scenario = (at: number) => ({
      name: `S${at}`,
      agents: ["banking-concierge"],
      start_agent: "banking-concierge",
    });
    const answers = [];
    for (let at = 0; at <= maxDocumentsPerSession; at += 1)
      answers.push(await post("/scenarios?session_id=session-many", scenario(at)));
    expect(answers.slice(0, -1).every(({ status }) => status === 200)).toBe(true);
    expect(answers.at(-1)?.status).toBe(409);
    expect(await answers.at(-1)?.json()).toMatchObject({
      errors: [{ code: "quota_exceeded", message: "At most 64 scenarios a session" }],
    });
  });

  it("is told the field and the limit of a definition that holds too much", async () => {
    const body = { name: "Boom", prompt: "You are helpful.", greeting: "{% for i in (1..9999) %}Hello{% endfor %}" };
    const refused = await post("/agents?session_id=session-boom", body);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      detail: [{ loc: ["body", "greeting"], msg: expect.stringContaining("limit") }],
    });
  });

  it("may make definitions for so many sessions and so many customers in an hour, which need no conversation", async () => {
    // The tests before this one have made something for three sessions.
    const agent = { name: "One", prompt: "You help callers." };
    expect((await post("/agents?session_id=session-fourth", agent)).status).toBe(200);
    expect((await post("/agents?session_id=session-fourth", { ...agent, name: "Two" })).status).toBe(200);
    expect((await post("/profiles/generate", {})).status).toBe(200);
    expect((await post("/agents?session_id=session-sixth", agent)).status).toBe(200);
    const refused = [
      await post("/agents?session_id=session-seventh", agent),
      await post("/scenarios?session_id=session-seventh", {
        name: "S",
        agents: ["banking-concierge"],
        start_agent: "banking-concierge",
      }),
      await post("/profiles/generate", {}),
    ];
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
  });

  it.each([
    ["begins with a token", () => "/realtime/token"],
    ["begins in the place of another", () => `/sessions/${conversation}/reset`],
  ])(
    "may ask for so many conversations in an hour, and is told when to come again, where one %s",
    async (_what, path) => {
      const refused = await post(path(), {});
      expect(refused.status).toBe(429);
      const waitSeconds = Number(refused.headers.get("retry-after"));
      expect(waitSeconds).toBeGreaterThan(3500);
      expect(waitSeconds).toBeLessThanOrEqual(3600);
    },
  );
});
