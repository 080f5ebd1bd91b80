import { demoCatalogDir } from "../demo/demo.ts";
import { atOnce } from "../platform/steps.ts";
import { describe, expect, it } from "vitest";
import { agentCreateRequest } from "../contracts/http/agents.ts";
import { createSpeechGuard } from "../conversation/speech-guard.ts";
import { demoCatalogDirs, demoTools } from "../demo/demo-parts.ts";
import type { Agent } from "./agent.ts";
import { isPlainObject, type PlainObject } from "../platform/plain-object.ts";
import { withCatalogTools } from "./known-tools.ts";
import { loadCatalog } from "./load-catalog.ts";
import { parseYaml } from "./parse-yaml.ts";
import { readCatalogFiles } from "./read-catalog.ts";
import { compileSessionCatalog } from "./compile-session-catalog.ts";
import { checkAgentChange, checkSessionAgent, checkSessionScenario } from "./session-documents.ts";
import { acceptDocuments } from "./stored-documents.ts";

const code = { tools: demoTools, mcpServers: [] };
const catalog = await loadCatalog(demoCatalogDirs, code);
const known = withCatalogTools(code, catalog);
const helper = {
  name: "Helper",
  prompt: "You help {{ memory.caller_name }}.",
  tools: ["escalate_human"],
  greeting: null,
};

function pick(agent: Agent | undefined, keys: readonly (keyof Agent)[]): Partial<Agent> {
  return Object.fromEntries(keys.map((key) => [key, agent?.[key]]));
}

describe("an agent for one session", () => {
  it("inherits the catalog's defaults", () => {
    const checked = atOnce(checkSessionAgent(helper, catalog, known));
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    const { name, model, voice } = checked.value;
    expect(name).toBe("Helper");
    expect(model.cascade.deploymentId).not.toBe("");
    expect(voice.name).toMatch(/^en-US-/);
  });

  it.each<[string, object, { field: string; message: RegExp }]>([
    ["an unknown tool", { tools: ["escalate_human", "fly"] }, { field: "tools.1", message: /unknown tool "fly"/ }],
    ["unknown documents", { knowledge: ["bnk"] }, { field: "knowledge.0", message: /did you mean "bank"/ }],
    ["a search of nothing", { tools: ["search_knowledge"] }, { field: "tools.0", message: /nothing to search/ }],
    ["a broken prompt", { prompt: "{{ nobody }}" }, { field: "prompt", message: /unknown variable nobody/ }],
    ["a broken greeting", { greeting: "{% if x %}" }, { field: "greeting", message: /not closed/ }],
    ["a value out of range", { model: { temperature: 9 } }, { field: "model.temperature", message: /2/ }],
    [
      "a rate that is none",
      { voice: { voice_rate: "fast" } },
      { field: "voice.voice_rate", message: /signed percentage/ },
    ],
    ["a taken trigger", { handoff_trigger: "handoff_front_desk" }, { field: "handoff_trigger", message: /front-desk/ }],
    [
      "a pattern that is none",
      { guardrails: { secret: { pattern: "(", stop: "No." } } },
      { field: "guardrails.secret.pattern", message: /\(/ },
    ],
    [
      "a greeting that never ends",
      { greeting: `{% for i in (1..9999) %}${"x".repeat(900)}{% endfor %}` },
      { field: "greeting", message: /output limit/ },
    ],
    [
      "a prompt that loops in loops",
      { prompt: `${"{% for i in (1..90) %}".repeat(3)}{{ i }}${"{% endfor %}".repeat(3)}` },
      { field: "prompt", message: /limit/ },
    ],
    ["a prompt too long", { prompt: "x".repeat(32_001) }, { field: "prompt", message: /32000/ }],
    ["a greeting too long", { greeting: "x".repeat(1025) }, { field: "greeting", message: /1024/ }],
    [
      "too many tools",
      { tools: Array.from({ length: 65 }, () => "escalate_human") },
      { field: "tools", message: /64/ },
    ],
    ["too many examples", { examples: Array.from({ length: 501 }, () => "x") }, { field: "examples", message: /500/ }],
    ["an example too long", { examples: ["x".repeat(257)] }, { field: "examples.0", message: /256/ }],
    [
      "too many phrases",
      { speech: { phrases: Array.from({ length: 501 }, () => "x") } },
      { field: "speech.phrases", message: /500/ },
    ],
    [
      "variables that are documents",
      { template_vars: { a: "x".repeat(16_000) } },
      { field: "template_vars", message: /16000/ },
    ],
    [
      "too many guardrails",
      {
        guardrails: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`g${at}`, { pattern: "a", stop: "b" }])),
      },
      { field: "guardrails", message: /16/ },
    ],
    [
      "patterns that take too long together",
      {
        guardrails: Object.fromEntries(
          Array.from({ length: 4 }, (_, at) => [`g${at}`, { pattern: "a{1000}", stop: "b" }]),
        ),
      },
      { field: "guardrails.g1.pattern", message: /3000/ },
    ],
    ["a missing name", { name: undefined }, { field: "name", message: /./ }],
  ])("is refused for %s, naming the field", (_what, change, problem) => {
    const checked = atOnce(checkSessionAgent({ ...helper, ...change }, catalog, known));
    expect(checked.ok ? [] : checked.problems).toContainEqual({
      field: problem.field,
      message: expect.stringMatching(problem.message),
      code: "value_invalid",
    });
  });
});

describe("an agent that was checked before", () => {
  it("is not compiled again for as long as its document and its siblings stay the same", () => {
    const first = atOnce(checkSessionAgent({ ...helper, name: "Once" }, catalog, known));
    const again = atOnce(checkSessionAgent({ ...helper, name: "Once" }, catalog, known));
    if (!first.ok || !again.ok) throw new Error("the agent was refused");
    expect(again.value).toBe(first.value);
  });

  it("is checked again when a sibling takes its trigger", () => {
    const document = { ...helper, name: "Taker", handoff_trigger: "handoff_taker" };
    const rival = atOnce(checkSessionAgent({ ...document, name: "Rival" }, catalog, known));
    if (!rival.ok) throw new Error("the rival was refused");
    expect(atOnce(checkSessionAgent(document, catalog, known)).ok).toBe(true);
    expect(atOnce(checkSessionAgent(document, catalog, known, [rival.value])).ok).toBe(false);
  });
});

describe("a folder of the catalog, sent by a client", async () => {
  const files = await readCatalogFiles(demoCatalogDir);
  const folders = [...catalog.agents.values()].map(({ name }) => name);

  function bodyOf(folder: string): unknown {
    const read = (file: string): PlainObject => parseYaml(file, files.get(`agents/${folder}/${file}`) ?? "", []) ?? {};
    const { voice, handoff_trigger: _taken, ...config } = read("agent.yaml");
    const named = isPlainObject(voice) ? Object.entries(voice).map(([key, value]) => [`voice_${key}`, value]) : [];
    return {
      ...config,
      name: `My-${folder}`,
      prompt: files.get(`agents/${folder}/prompt.md`)?.trim(),
      voice: Object.fromEntries(named),
    };
  }

  it.each(folders)("is the same agent: %s", (folder) => {
    const body = agentCreateRequest.parse(bodyOf(folder));
    // Scenarios bring variables of their own, which an agent without one has to bring itself.
    const template_vars = { ...body.template_vars, ...catalog.scenarios.get("insurance")?.templateVars };
    const checked = atOnce(checkSessionAgent({ ...body, template_vars }, catalog, known));
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    const { examples, tools, model, voice, speech, greeting, guardrails } = checked.value;
    const original = catalog.agents.get(folder);
    expect({ examples, tools, model, voice, speech, greeting }).toEqual(
      pick(original, ["examples", "tools", "model", "voice", "speech", "greeting"]),
    );
    expect(guardrails?.map(({ name }) => name)).toEqual(original?.guardrails?.map(({ name }) => name));
  });

  it("[RT-4] has what only a chat model takes for the cascade alone, and is refused it for a realtime model", () => {
    const model = { top_p: 0.5, verbosity: "low", max_tokens: 100, realtime: { parallel_tool_calls: false } };
    const checked = atOnce(checkSessionAgent(agentCreateRequest.parse({ ...helper, model }), catalog, known));
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    expect(checked.value.model).toMatchObject({ cascade: { topP: 0.5, verbosity: "low", maxTokens: 100 } });
    expect(checked.value.model.realtime).toMatchObject({ maxTokens: 100, parallelToolCalls: false });
    for (const realtime of [{ top_p: 0.5 }, { verbosity: "low" }])
      expect(agentCreateRequest.safeParse({ ...helper, model: { realtime } }).success).toBe(false);
  });

  it("can say other things to the two kinds of model, and withhold or allow words of its own", () => {
    const body = agentCreateRequest.parse({
      ...helper,
      model: { temperature: 0.2, realtime: { deployment_id: "mine" } },
      speech: { vad_silence_timeout_ms: 900, phrases: ["Northwind"] },
      guardrails: { model_talk: null, evil: { pattern: "(a+)+$", replace: "" } },
    });
    const checked = atOnce(checkSessionAgent(body, catalog, known));
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    const { model, speech, guardrails } = checked.value;
    expect(model).toMatchObject({
      cascade: { temperature: 0.2 },
      realtime: { temperature: 0.2, deploymentId: "mine" },
    });
    expect(speech).toEqual({ vadSilenceTimeoutMs: 900, phrases: ["Northwind"], candidateLanguages: [] });
    expect(guardrails?.map(({ name }) => name)).not.toContain("model_talk");
    // With the engine's own patterns this would take longer than the age of the universe.
    const heard = createSpeechGuard(guardrails ?? []).check(`${"a".repeat(200)}b`);
    expect(heard.hits).toEqual([]);
  });
});

describe("a scenario for one session", () => {
  const agent = atOnce(checkSessionAgent(helper, catalog, known));
  const agents = agent.ok ? [agent.value] : [];
  const scenario = {
    name: "Mine",
    session_id: "s-1",
    agents: ["FRONT-DESK", "helper"],
    start_agent: "helper",
    handoffs: [{ from: "helper", to: "front-desk", type: "discrete", tool: null, share_context: null }],
  };

  it("may use the session's own agents beside the catalog's, in any letter case", () => {
    expect(checkSessionScenario(scenario, catalog, agents)).toMatchObject({
      ok: true,
      value: {
        name: "Mine",
        agents: ["front-desk", "Helper"],
        startAgent: "Helper",
        handoffs: [{ from: "Helper", to: "front-desk", type: "discrete", shareContext: true }],
      },
    });
  });

  it.each<[string, object, { field: string; message: string }]>([
    ["an unknown agent", { agents: ["helper", "nobody"] }, { field: "agents.1", message: 'unknown agent "nobody"' }],
    [
      "an unknown start agent",
      { start_agent: "nobody" },
      { field: "start_agent", message: '"nobody" is not one of the scenario\'s agents' },
    ],
    [
      "a handoff to nowhere",
      { handoffs: [{ from: "helper", to: "nobody" }] },
      { field: "handoffs.0.to", message: '"nobody" is not one of the scenario\'s agents' },
    ],
  ])("is refused for %s, naming it", (_what, change, problem) => {
    const checked = checkSessionScenario({ ...scenario, ...change }, catalog, agents);
    expect(checked.ok ? [] : checked.problems).toContainEqual({ ...problem, code: "value_invalid" });
  });

  it("compiles with overrides from what the stores hold", () => {
    const {
      overrides,
      agents: own,
      scenarios,
      leftOut,
    } = atOnce(
      acceptDocuments(
        {
          overrides: [
            { agentName: "Front-Desk", document: { model: { temperature: 0.1 }, voice: { voice_name: "X" } } },
          ],
          agents: [{ name: "helper", document: helper }],
          scenarios: [{ name: "mine", document: scenario }],
        },
        catalog,
        known,
      ),
    );
    expect(leftOut).toEqual([]);
    const session = compileSessionCatalog(catalog, {
      scenario: "mine",
      overrides: Object.fromEntries(overrides),
      sessionAgents: own,
      sessionScenarios: scenarios,
    });
    expect(session.agent("front-desk")).toMatchObject({
      voice: { name: "X" },
      model: { cascade: { temperature: 0.1 } },
    });
    expect(session.agent("helper")?.prompt).toContain("You help");
    expect(session.edgesFrom("helper")).toHaveLength(1);
  });
});

describe("an override", () => {
  it("leaves alone what the body leaves out or sets to null", () => {
    expect(checkAgentChange({ model: { temperature: 0, top_p: null }, voice: null })).toEqual({
      ok: true,
      value: {
        model: { deploymentId: undefined, temperature: 0, topP: undefined, maxTokens: undefined },
        voice: { name: undefined, style: undefined, rate: undefined, pitch: undefined },
      },
    });
  });
});

describe("stored documents", () => {
  it("may change one agent twice: what an operator has set stays where the client sets something else", () => {
    const { overrides } = atOnce(
      acceptDocuments(
        {
          overrides: [
            { agentName: "Front-Desk", document: { model: { temperature: 0.1, top_p: 0.5 } } },
            { agentName: "front-desk", document: { model: { temperature: 0.9 }, voice: { voice_rate: "+3%" } } },
          ],
        },
        catalog,
        known,
      ),
    );
    const session = compileSessionCatalog(catalog, {
      scenario: "default",
      overrides: Object.fromEntries(overrides),
    });
    expect(session.agent("front-desk")).toMatchObject({
      model: { cascade: { temperature: 0.9, topP: 0.5 } },
      voice: { rate: "+3%" },
    });
  });

  it("are left out, with what depends on them, when they no longer pass their check", () => {
    const broken = { ...helper, tools: ["a_tool_that_was_removed"] };
    const scenario = { name: "Mine", agents: ["helper"], start_agent: "helper" };
    const accepted = atOnce(
      acceptDocuments(
        {
          overrides: [{ agentName: "front-desk", document: { voice: { pace: "fast" } } }],
          agents: [
            { name: "broken", document: broken },
            { name: "night-desk", document: { ...helper, name: "night-desk" } },
          ],
          scenarios: [{ name: "mine", document: scenario }],
        },
        catalog,
        known,
      ),
    );
    expect(accepted.agents.map(({ name }) => name)).toEqual(["night-desk"]);
    expect(accepted.leftOut).toMatchObject([
      { kind: "override", name: "front-desk" },
      { kind: "agent", name: "broken", fields: ["tools.0"] },
      { kind: "scenario", name: "mine" },
    ]);
  });
});
