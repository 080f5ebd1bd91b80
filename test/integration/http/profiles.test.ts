import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApi, type Api } from "./api-harness.ts";

let api: Api;

beforeAll(async () => {
  api = await startApi();
});

afterAll(async () => api.close());

function idIn(text: string): string {
  return /"profile_id":"([^"]+)"/.exec(text)?.[1] ?? "";
}

describe("POST /profiles/generate", () => {
  it("makes up a customer with a name, accounts and MFA, and finds it again", async () => {
    const answer = await api.call("POST", "/api/v1/profiles/generate");
    expect(answer).toMatchObject({
      status: 200,
      body: {
        profile_id: expect.stringMatching(/^profile-/),
        name: expect.any(String),
        accounts: [{ type: "checking" }, { type: "savings" }],
        mfa: { enabled: expect.any(Boolean) },
        session_id: null,
      },
    });
    const found = await api.call("GET", `/api/v1/profiles/${idIn(answer.text)}`);
    expect(found.status).toBe(200);
    expect(found.body).toEqual(answer.body);
  });

  it("makes the same person for the same seed, under another id", async () => {
    const answers = [
      await api.call("POST", "/api/v1/profiles/generate", { seed: 7 }),
      await api.call("POST", "/api/v1/profiles/generate", { seed: 7 }),
    ];
    const names = answers.map(({ text }) => /"name":"([^"]+)"/.exec(text)?.[1]);
    expect(names[0]).toBe(names[1]);
    expect(idIn(answers[0]?.text ?? "")).not.toBe(idIn(answers[1]?.text ?? ""));
  });

  it("uses what it is told", async () => {
    const body = {
      full_name: "Alex Example",
      email: "alex@example.com",
      phone_number: "+14255550123",
      preferred_channel: "email",
      scenario: "insurance",
    };
    const answer = await api.call("POST", "/api/v1/profiles/generate", body);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        name: "Alex Example",
        mfa: { preferred_method: "email" },
        profile: { email: "alex@example.com", phone_number: "+14255550123" },
      },
    });
  });

  it("gives the customer to a running conversation", async () => {
    await api.state.sessions.create({
      sessionId: "s-1",
      channel: "browser",
      streamingMode: "REALTIME",
      scenario: "default",
      activeAgent: "front-desk",
      visitedAgents: [],
      status: "active",
      memory: {},
      createdAtMs: Date.now(),
    });
    const answer = await api.call("POST", "/api/v1/profiles/generate", { session_id: "s-1" });
    expect(answer).toMatchObject({ status: 200, body: { session_id: "s-1" } });
    expect(await api.state.sessions.get("s-1")).toMatchObject({ profileId: idIn(answer.text) });
  });

  it.each([
    [{ email: "nobody" }, "email"],
    [{ phone_number: "123" }, "phone_number"],
    [{ preferred_channel: "pigeon" }, "preferred_channel"],
    [{ full_name: "" }, "full_name"],
    [{ ssn: "1" }, "ssn"],
  ])("refuses %j", async (body, field) => {
    const answer = await api.call("POST", "/api/v1/profiles/generate", body);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", field] }] } });
  });

  it("does not know an unknown id", async () => {
    const answer = await api.call("GET", "/api/v1/profiles/nobody");
    expect(answer).toMatchObject({ status: 404, body: { type: "not_found" } });
  });
});
