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
import { simulateSession } from "@voice/local/simulate/simulate-session";
import { hasPassed, summariseRun } from "@voice/local/simulate/summarise-run";
import { configuredModel, defaultsOfSettings } from "@voice/local/dialogues/configured-model";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { createPrices } from "@voice/shared/costs/prices";
import { systemClock } from "@voice/shared/platform/clock";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

let emulator: OpenAiEmulator;
let catalog: Catalog;

const named = { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", OPENAI_CHAT_MODEL: "gpt-x" };

beforeAll(async () => {
  catalog = await loadCatalog(
    [builtInCatalogDir()],
    { tools: builtInTools, mcpServers: [] },
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
    fileURLToPath(new URL("../../local/simulate/evals", import.meta.url)),
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
    outside: noOutsideTools,
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
  expect(sessions.map((session) => [session.goal.name, hasPassed(session), session.error])).toEqual([
    ["account summary", true, undefined],
    ["summary refused to a stranger", true, undefined],
    ["lost card", true, undefined],
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
  const html = reportHtml({ scenario: "banking", madeAt: "", models, summary, comparisons: [], sessions });
  expect(html).toContain("verify_identity(");
  expect(html).not.toContain("<b>");
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
  expect(run.stopped).toMatch(/--max-cost .* is reached/);
});

it("[EVAL-3] counts a session that a model fails by itself, with what its server said", async () => {
  const { parts, plan } = await simulationParts("wrong");
  const [planned] = plan;
  if (planned === undefined) throw new Error("nothing is planned");
  const session = await simulateSession(planned, parts);
  expect(session.error).toMatch(/the caller's model emulated-caller answered 401/);
  expect(summariseRun([session])).toMatchObject({ notHeld: 1, notJudged: 0, criteria: { checks: { total: 0 } } });
});

it("[EVAL-8] names the settings where only the rules on this machine could play callers", async () => {
  expect(await configuredModel(catalog, {})).toBeUndefined();
});
