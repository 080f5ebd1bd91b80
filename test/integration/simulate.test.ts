/** Simulated callers over HTTP: the agents' model, the callers' and the judge's are all behind an emulated server. */
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { createRuleModel, prepareAgents } from "@voice/local-voice/rule-model/rule-model";
import { agentOfPrompt } from "@voice/local/emulators/openai/agent-of-prompt";
import { withConversationRoles } from "@voice/local/emulators/openai/conversation-roles";
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { OpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import { createModelResponder } from "@voice/local/emulators/openai/model-responder";
import { noOutsideTools } from "@voice/local/dialogues/outside-tools";
import { createChatModel } from "@voice/local/simulate/chat-model";
import { readEvalFiles } from "@voice/local/simulate/eval-files";
import { planSessions } from "@voice/local/simulate/plan-sessions";
import { reportHtml } from "@voice/local/simulate/report-html";
import { runSimulation } from "@voice/local/simulate/run-simulation";
import { createSpokenCallers } from "@voice/local/simulate/spoken-callers";
import { simulateSession } from "@voice/local/simulate/simulate-session";
import { resultOf, summariseRun } from "@voice/local/simulate/summarise-run";
import { configuredModel, defaultsOfSettings } from "@voice/local/dialogues/configured-model";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { createPrices, noPrices } from "@voice/shared/costs/prices";
import { systemClock } from "@voice/shared/platform/clock";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";

let emulator: OpenAiEmulator;
let catalog: Catalog;

const named = { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", OPENAI_CHAT_MODEL: "gpt-x" };

beforeAll(async () => {
  catalog = await loadCatalog(
    demoCatalogDirs,
    { tools: demoTools, mcpServers: [] },
    { language: catalogLanguage, ...defaultsOfSettings(named) },
  );
  const agents = [...catalog.agents.values()];
  await prepareAgents(agents);
  const respond = createModelResponder(createRuleModel({ clock: systemClock }), agentOfPrompt(agents));
  emulator = await startOpenAiEmulator({ respond: withConversationRoles(respond), key: "k" });
});

afterAll(() => emulator.close());

const price = { input: 1, output: 1 };
const prices = createPrices("USD", [
  { part: "language_model", models: ["gpt-x", "emulated-caller", "emulated-judge"], per_million_tokens: price },
]);

async function simulationParts(key = "k") {
  const { personas, scenarios } = await readEvalFiles([
    { folder: fileURLToPath(new URL("../../local/simulate/evals", import.meta.url)), hasGoals: true },
  ]);
  const { goals = [], rubric = {} } = scenarios.get("banking") ?? {};
  const baseUrl = new URL("/v1", emulator.baseUrl).href;
  const agents = await configuredModel(catalog, { ...named, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: "k" });
  if (agents === undefined) throw new Error("no model is configured");
  const chat = (role: "caller" | "judge") =>
    createChatModel({ baseUrl, key, model: `emulated-${role}`, role, prices, seed: 7 });
  const parts = {
    scenario: "banking",
    rubric,
    catalog,
    code: demoTools,
    outside: noOutsideTools,
    customers: { kind: "demo" } as const,
    agents: { ...agents, prices },
    createCaller: () => chat("caller"),
    createJudge: () => chat("judge"),
  };
  const hurried = personas.get("impatient");
  return { parts, plan: planSessions(hurried === undefined ? [] : [hurried], goals, 3, undefined) };
}

it("[EVAL-2] holds sessions over the wire, checks and judges them, and reports transcripts, costs and latencies", async () => {
  const { parts, plan } = await simulationParts();
  const { sessions } = await runSimulation(
    plan,
    { parallel: 3, maxCost: undefined },
    (session) => simulateSession(session, parts),
    () => undefined,
  );
  expect(sessions.map((session) => [session.goal.name, resultOf(session), session.error])).toEqual([
    ["account summary", "passed", undefined],
    ["summary refused to a stranger", "passed", undefined],
    ["lost card", "passed", undefined],
  ]);
  const summary = summariseRun(sessions);
  expect(summary).toMatchObject({
    notHeld: 0,
    notJudged: 0,
    criteria: { checks: { passed: 3, total: 3 }, tone: { passed: 3, total: 3 } },
    passPowers: [1],
    cost: { currency: "USD", is_complete: true },
    firstWordMs: { p50: expect.any(Number) },
  });
  const models = { agents: "gpt-x", caller: "a", judge: "<b>" };
  const comparisons = [{ criterion: "tone", before: 1, now: 0, probability: 0.000_123, hasFallen: true }];
  const html = reportHtml({ scenario: "banking", madeAt: "", voice: false, models, summary, comparisons, sessions });
  expect(html).toContain("<td>0.00012</td>");
  expect(html).toContain("verify_identity(");
  expect(html).not.toContain("<b>");
});

it("[EVAL-9a] [EVAL-9b] [EVAL-9c] lets callers speak: shows what was recognised, and measures from their last sound", async () => {
  const { parts, plan } = await simulationParts();
  const [planned] = plan;
  if (planned === undefined) throw new Error("nothing is planned");
  const voice = await createSpokenCallers({
    catalog,
    // The emulated model knows the agents' own sentences, and the voice of this machine is no person's.
    settings: { ...parts.agents.settings, localOpenVocabulary: false },
    language: "en-US",
    code: demoTools,
    tools: new Map(),
    customers: { kind: "demo" },
  });
  onTestFinished(() => voice.close());
  expect(voice.caveats).toEqual([expect.stringMatching(/recogniser of this machine/)]);
  const checks = { ...planned.goal.checks, tools: ["get_account_balance"], answers_contain: ["checking"] };
  const opening = "How much is in my checking account?";
  const startedAtMs = performance.now();
  const session = await simulateSession(
    { ...planned, goal: { ...planned.goal, opening, checks } },
    { ...parts, voice },
  );
  const tookMs = performance.now() - startedAtMs;
  expect(session).toMatchObject({ error: undefined, failedChecks: [] });
  const said = session.transcript.find(({ kind }) => kind === "caller");
  expect(said).toEqual({ kind: "caller", text: opening, heard: "how much is in my checking account" });
  // The wait for the end of the turn is part of it. Answers of the emulated model are quick, but take real time: no more than all of it.
  const { firstSoundMs } = summariseRun([session]);
  expect(firstSoundMs?.p50).toBeGreaterThan(100);
  expect(firstSoundMs?.p50).toBeLessThan(Math.max(3000, tookMs));
  const models = { agents: "", caller: "", judge: "" };
  const misheard = { kind: "caller", text: "My card", heard: "my <car>" } as const;
  const html = reportHtml({
    scenario: "banking",
    madeAt: "",
    voice: true,
    models,
    summary: summariseRun([session]),
    comparisons: undefined,
    sessions: [{ ...session, transcript: [misheard, ...session.transcript] }],
  });
  expect(html).toContain("recognised: “my &lt;car&gt;”");
  expect(html).toContain("caller, spoken, recognised as said");
});

it("[EVAL-6] begins no session once the budget is spent, or where it cannot be known", async () => {
  const { parts, plan } = await simulationParts();
  const run = await runSimulation(
    plan,
    { parallel: 1, maxCost: 0.000_001 },
    (session) => simulateSession(session, parts),
    () => undefined,
  );
  expect(run.sessions).toHaveLength(1);
  expect(run.stopped).toMatchObject({
    kind: "budget-spent",
    message: expect.stringMatching(/--max-cost .* is reached/),
  });
  const unpriced = await runSimulation(
    plan,
    { parallel: 1, maxCost: 1 },
    (session) => simulateSession(session, { ...parts, agents: { ...parts.agents, prices: noPrices } }),
    () => undefined,
  );
  expect(unpriced.sessions).toHaveLength(1);
  expect(unpriced.stopped?.kind).toBe("price-missing");
});

it("[EVAL-3b] [EVAL-3c] counts a session that a model fails by itself, with what its server said, and which it was", async () => {
  const { parts, plan } = await simulationParts("wrong");
  const [planned] = plan;
  if (planned === undefined) throw new Error("nothing is planned");
  const session = await simulateSession(planned, parts);
  expect(session.error).toMatch(/the caller's model emulated-caller answered 401 at http:\/\/127/);
  expect(summariseRun([session])).toMatchObject({ notHeld: 1, notJudged: 0, criteria: { checks: { total: 0 } } });
});

it("[EVAL-8] names the settings where only the rules on this machine could play callers", async () => {
  expect(await configuredModel(catalog, {})).toBeUndefined();
});

it("[EVAL-3b] takes what the agents say while their model fails for no session, and keeps what was used", async () => {
  const { parts, plan } = await simulationParts();
  const [planned] = plan;
  if (planned === undefined) throw new Error("nothing is planned");
  const failing = await configuredModel(catalog, { ...named, OPENAI_API_KEY: "k" });
  if (failing === undefined) throw new Error("no model is configured");
  const session = await simulateSession(planned, { ...parts, agents: { ...failing, prices } });
  expect(session.error).toMatch(/^the agents' model failed: .*connection/);
  expect([resultOf(session), session.verdicts]).toEqual(["not-held", undefined]);
  expect(Object.keys(session.usage).join()).toContain("emulated-caller");
});

it("[EVAL-3c] says where a caller's model was asked that cannot be reached", async () => {
  const { parts, plan } = await simulationParts();
  const [planned] = plan;
  if (planned === undefined) throw new Error("nothing is planned");
  const nowhere = { key: "k", model: "m", role: "caller", prices, seed: undefined } as const;
  const session = await simulateSession(planned, {
    ...parts,
    createCaller: () => createChatModel({ ...nowhere, baseUrl: "http://127.0.0.1:59/v1" }),
  });
  expect(session.error).toMatch(
    /^the caller's model m cannot be asked at http:\/\/127\.0\.0\.1:59\/v1: .*ECONNREFUSED/,
  );
});

it("[PUBLISH-22] has callers simulated with several versions, and compares each with the one before it", async () => {
  const out = await mkdtemp(join(tmpdir(), "versions-"));
  onTestFinished(() => rm(out, { recursive: true, force: true }));
  const service = createServer((_request, response) => {
    const agent = { name: "banking-concierge", prompt: "You are nobody at all.", greeting: "Good day to you." };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ agent_documents: [agent], scenario_documents: [] }));
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  onTestFinished(() => void service.close());
  const address = service.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const command = fileURLToPath(new URL("../../local/simulate/simulate-cli.ts", import.meta.url));
  const models = ["--caller-model", "emulated-caller", "--judge-model", "emulated-judge"];
  const flags = [
    ...models,
    "--scenario",
    "banking",
    "--persona",
    "impatient",
    "--sessions",
    "1",
    "--out",
    out,
    "--url",
    url,
  ];
  const child = spawn(process.execPath, [command, ...flags, "--versions", "0,2"], {
    env: {
      ...process.env,
      // A test runner sets it, to what is no address.
      BASE_URL: undefined,
      OPENAI_BASE_URL: new URL("/v1", emulator.baseUrl).href,
      OPENAI_CHAT_MODEL: "gpt-x",
      OPENAI_API_KEY: "k",
    },
  });
  const [printed, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(problems).toBe("");
  expect(printed).toMatch(/The catalog's files\n[^]*\nVersion 2\n/);
  const reportOf = async (version: number): Promise<unknown> =>
    JSON.parse(await readFile(join(out, `version-${version}`, "report.json"), "utf8"));
  expect(await reportOf(0)).not.toHaveProperty("comparisons");
  expect(await reportOf(2)).toMatchObject({ comparisons: expect.any(Array) });
});
