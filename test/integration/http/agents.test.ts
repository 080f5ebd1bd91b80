import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSession as storedSession } from "@voice/shared/state/ports/session-store.contract";
import { startApi, type Api } from "./api-harness.ts";

let api: Api;

beforeAll(async () => {
  api = await startApi();
});

afterAll(async () => api.close());

describe("GET /agents", () => {
  it("lists the catalog's agents with their settings and the way between them", async () => {
    const answer = await api.call("GET", "/api/v1/agents");
    expect(answer).toMatchObject({
      status: 200,
      body: { status: "success", start_agent: "front-desk", scenario: "default", current_agent: null },
    });
    expect(answer.body).toHaveProperty("handoff_map.handoff_card_specialist", "card-specialist");
    expect(answer.text).toContain('"deployment_id"');
  });

  it("gives one agent by name, in any letter case, with its prompt", async () => {
    const answer = await api.call("GET", "/api/v1/agents/FRONT-DESK");
    expect(answer).toMatchObject({
      status: 200,
      body: { name: "front-desk", status: "loaded", source: "catalog", prompt: expect.any(String), session_id: null },
    });
    expect(await api.call("GET", "/api/v1/agents/nobody")).toMatchObject({ status: 404, body: { type: "not_found" } });
  });
});

describe("PUT /agents/{name}", () => {
  it("[ACCESS-30] refuses a voice that the speech service cannot have, and changes nothing", async () => {
    const before = (await api.call("GET", "/api/v1/agents/front-desk")).text;
    const answer = await api.call("PUT", "/api/v1/agents/front-desk", { voice: { voice_name: "x" } });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "voice", "voice_name"] }] } });
    expect(answer.text).toContain("en-US-AvaMultilingualNeural");
    expect((await api.call("GET", "/api/v1/agents/front-desk")).text).toBe(before);
  });

  it("changes the running agent and lays one change over another", async () => {
    const first = await api.call("PUT", "/api/v1/agents/front-desk", { model: { temperature: 0.5, max_tokens: null } });
    expect(first).toMatchObject({
      status: 200,
      body: { status: "success", agent_name: "front-desk", updated_fields: ["temperature -> 0.5"] },
    });
    await api.call("PUT", "/api/v1/agents/Front-Desk", { voice: { voice_name: "en-US-EmmaNeural" } });
    expect((await api.call("PUT", "/api/v1/agents/front-desk", { voice: { voice_rate: "+10%" } })).status).toBe(200);
    expect(await api.call("GET", "/api/v1/agents/front-desk")).toMatchObject({
      body: { model: { temperature: 0.5 }, voice: { current_voice: "en-US-EmmaNeural", voice_rate: "+10%" } },
    });
  });

  it("takes both updates at once from two callers", async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, async (_, index) =>
        api.call(
          "PUT",
          "/api/v1/agents/card-specialist",
          index % 2 === 0 ? { model: { top_p: 0.4 } } : { model: { max_tokens: 99 } },
        ),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    expect(await api.call("GET", "/api/v1/agents/card-specialist")).toMatchObject({
      body: { model: { top_p: 0.4, max_tokens: 99 } },
    });
  });

  it("changes nothing when nothing is asked for", async () => {
    for (const body of [{}, { model: null, voice: null }, { model: {} }]) {
      expect(await api.call("PUT", "/api/v1/agents/front-desk", body)).toMatchObject({
        status: 200,
        body: { updated_fields: [], message: "Nothing to change" },
      });
    }
  });

  it.each([
    [{ model: { temperature: 2.5 } }, ["body", "model", "temperature"], "less_than_equal"],
    [{ model: { max_tokens: 0 } }, ["body", "model", "max_tokens"], "greater_than_equal"],
    [{ model: { top_p: "high" } }, ["body", "model", "top_p"], "float_type"],
    [{ voice: { pitch: "+2%" } }, ["body", "voice", "pitch"], "extra_forbidden"],
    [{ prompt: "obey" }, ["body", "prompt"], "extra_forbidden"],
  ])("refuses %j", async (body, loc, type) => {
    const answer = await api.call("PUT", "/api/v1/agents/front-desk", body);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc, type }] } });
  });

  it("changes the agent that was made for a session, for that session alone", async () => {
    const model = { cascade: { temperature: 0.9, max_tokens: 300 }, realtime: { temperature: 0.8, max_tokens: 400 } };
    const own = { name: "Own", prompt: "You help with everything.", model };
    await api.call("POST", "/api/v1/agents?session_id=own", own);
    const change = { model: { temperature: 0.2 }, voice: { voice_name: "en-US-EmmaNeural" } };
    expect(await api.call("PUT", "/api/v1/agents/OWN?session_id=own", change)).toMatchObject({
      status: 200,
      body: { agent_name: "Own", updated_fields: ["temperature -> 0.2", "voice_name -> en-US-EmmaNeural"] },
    });
    expect(await api.call("GET", "/api/v1/agents/own?session_id=own")).toMatchObject({
      body: { model: { temperature: 0.2 }, voice: { current_voice: "en-US-EmmaNeural" }, source: "session" },
    });
    const { document } = (await api.state.agents.get("own", "Own")) ?? {};
    expect(document).toMatchObject({
      model: { temperature: 0.2, cascade: { max_tokens: 300 }, realtime: { max_tokens: 400 } },
    });
    expect(JSON.stringify(document)).not.toMatch(/0\.[89]/);
    const missing = { status: 404, body: { type: "not_found" } };
    expect(await api.call("PUT", "/api/v1/agents/own", change)).toMatchObject(missing);
    expect(await api.call("PUT", "/api/v1/agents/own?session_id=another", change)).toMatchObject(missing);
    expect(await api.call("PUT", "/api/v1/agents/front-desk?session_id=own", change)).toMatchObject(missing);
  });

  it("does not know an unknown agent", async () => {
    expect(await api.call("PUT", "/api/v1/agents/nobody", {})).toMatchObject({
      status: 404,
      body: { type: "not_found" },
    });
  });
});

describe("POST /agents", () => {
  const helper = { name: "Helper", prompt: "You help with everything.", tools: ["get_account_balance"] };

  it("creates an agent that only its session sees", async () => {
    const answer = await api.call("POST", "/api/v1/agents?session_id=mine", helper);
    expect(answer).toMatchObject({
      status: 200,
      body: { session_id: "mine", agent_name: "Helper", status: "created", config: helper },
    });
    expect(await api.call("GET", "/api/v1/agents/helper?session_id=mine")).toMatchObject({
      status: 200,
      body: { source: "session", tools: ["get_account_balance"] },
    });
    expect((await api.call("GET", "/api/v1/agents/helper")).status).toBe(404);
    expect((await api.call("GET", "/api/v1/agents/helper?session_id=other")).status).toBe(404);
    const again = await api.call("POST", "/api/v1/agents", { ...helper, name: "helper", session_id: "mine" });
    expect(again).toMatchObject({
      status: 409,
      body: { type: "conflict", errors: [{ field: "name", code: "name_taken" }] },
    });
  });

  it("refuses a prompt of blanks, which would be an agent without one", async () => {
    expect(await api.call("POST", "/api/v1/agents", { ...helper, prompt: " \n".repeat(20) })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "prompt"], msg: "The prompt is blank" }] },
    });
  });

  it("makes up a session where none is named, and refuses two", async () => {
    const made = await api.call("POST", "/api/v1/agents", helper);
    expect(made).toMatchObject({ status: 200, body: { session_id: expect.stringMatching(/^session-/) } });
    const both = await api.call("POST", "/api/v1/agents?session_id=a", { ...helper, session_id: "b" });
    expect(both).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "session_id"] }] } });
  });

  it("takes what a folder can say: rules, guardrails, speech, both models", async () => {
    const answer = await api.call("POST", "/api/v1/agents?session_id=full", {
      ...helper,
      model: { temperature: 0.3, realtime: { deployment_id: "gpt-realtime-mini" } },
      voice: { voice_rate: "+5%" },
      speech: { vad_silence_timeout_ms: 700, phrases: ["Northwind"] },
      rules: {
        intents: {
          balance: {
            examples: ["how much do i have"],
            call: { tool: "get_account_balance", args: { account: "checking" } },
            after: { success: "You have {{ result.balance | money }}." },
          },
          goodbye: null,
        },
        fallback: "Pardon?",
      },
      guardrails: { secret: { pattern: "code word", stop: "No." }, model_talk: null },
    });
    expect(answer.status).toBe(200);
    expect(await api.call("GET", "/api/v1/agents/Helper?session_id=full")).toMatchObject({
      body: { voice: { voice_rate: "+5%" }, examples: expect.arrayContaining(["how much do i have"]) },
    });
  });

  it("says which part of a rule or a guardrail is wrong", async () => {
    const intents = {
      leave: { examples: ["bye"], handoff: { to: "nobody", reason: "x" } },
      pay: { examples: ["pay"], call: { tool: "fly" } },
    };
    const where = (...loc: readonly string[]) => expect.objectContaining({ loc: ["body", ...loc] });
    const answer = await api.call("POST", "/api/v1/agents", { ...helper, rules: { intents } });
    const detail = [
      where("rules", "intents", "leave", "handoff", "to"),
      where("rules", "intents", "pay", "call", "tool"),
    ];
    expect(answer).toMatchObject({ status: 422, body: { detail: expect.arrayContaining(detail) } });
    expect(answer.text).toMatch(/nobody.*fly/);
    const guardrails = { secret: { pattern: "(", stop: "No." } };
    expect(await api.call("POST", "/api/v1/agents", { ...helper, guardrails })).toMatchObject({
      status: 422,
      body: { detail: [where("guardrails", "secret", "pattern")] },
    });
  });

  it("names every tool that there is not", async () => {
    const answer = await api.call("POST", "/api/v1/agents", {
      ...helper,
      tools: ["get_account_balance", "fly", "swim"],
    });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        detail: [
          { loc: ["body", "tools", 1], msg: 'unknown tool "fly"' },
          { loc: ["body", "tools", 2], msg: 'unknown tool "swim"' },
        ],
      },
    });
  });
});

describe("scenarios", () => {
  const scenario = { name: "cards", agents: ["front-desk", "card-specialist"], start_agent: "front-desk" };

  it("are listed and told in detail", async () => {
    const list = await api.call("GET", "/api/v1/scenarios");
    expect(list.status).toBe(200);
    expect(list.body).toHaveProperty(
      "scenarios",
      expect.arrayContaining([
        expect.objectContaining({ name: "default", start_agent: "front-desk", source: "catalog" }),
      ]),
    );
    const detail = await api.call("GET", "/api/v1/scenarios/Default");
    expect(detail.body).toHaveProperty("handoffs[0].to");
    expect(await api.call("GET", "/api/v1/scenarios/nothing")).toMatchObject({
      status: 404,
      body: { type: "not_found" },
    });
  });

  it("can be made for one session, with that session's own agents", async () => {
    await api.call("POST", "/api/v1/agents", { name: "Extra", prompt: "You are one more.", session_id: "builder" });
    const body = {
      ...scenario,
      session_id: "builder",
      agents: [...scenario.agents, "extra"],
      handoffs: [{ from: "front-desk", to: "extra", type: "discrete", condition: "the caller asks for more" }],
    };
    const answer = await api.call("POST", "/api/v1/scenarios", body);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        session_id: "builder",
        scenario_name: "cards",
        status: "created",
        config: { handoffs: [{ from: "front-desk", to: "Extra", type: "discrete", share_context: true }] },
      },
    });
    expect((await api.call("GET", "/api/v1/scenarios/cards?session_id=builder")).status).toBe(200);
    expect((await api.call("GET", "/api/v1/scenarios/cards")).status).toBe(404);
    expect(await api.call("POST", "/api/v1/scenarios", body)).toMatchObject({
      status: 409,
      body: { errors: [{ field: "name", code: "name_taken" }] },
    });
  });

  it("are named with who begins where the session's agents are listed, as its conversation will begin", async () => {
    const query = "session_id=beginner";
    const beginning = async () => (await api.call("GET", `/api/v1/agents?${query}`)).body;
    expect(await beginning()).toMatchObject({ scenario: "default", start_agent: "front-desk" });
    await api.call("POST", `/api/v1/agents?${query}`, { name: "Extra", prompt: "You are one more." });
    expect(await beginning()).toMatchObject({ scenario: "default", start_agent: "Extra" });
    await api.call("POST", `/api/v1/scenarios?${query}`, { ...scenario, start_agent: "card-specialist" });
    expect(await beginning()).toMatchObject({ scenario: "cards", start_agent: "card-specialist" });
    await api.state.sessions.create({ ...storedSession("beginner", Date.now()), scenario: "insurance" });
    expect(await beginning()).toMatchObject({ scenario: "insurance", start_agent: "Extra" });
  });

  it("show the language and the time zone that they were made with", async () => {
    const places = { language: "de-DE", time_zone: "Europe/Berlin" };
    const body = { ...scenario, ...places, name: "karten", session_id: "places" };
    expect(await api.call("POST", "/api/v1/scenarios", body)).toMatchObject({ body: { config: places } });
    expect(await api.call("GET", "/api/v1/scenarios/karten?session_id=places")).toMatchObject({ body: places });
    expect(await api.call("GET", "/api/v1/scenarios/default")).toMatchObject({
      body: { language: null, time_zone: null },
    });
  });

  it("name agents that there are", async () => {
    const answer = await api.call("POST", "/api/v1/scenarios", {
      ...scenario,
      agents: ["front-desk", "ghost"],
      start_agent: "ghoul",
    });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain("ghost");
    expect(answer.text).toContain("ghoul");
  });
});
