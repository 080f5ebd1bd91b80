import { describe, expect, it } from "vitest";
import { agentCreateRequest } from "../contracts/http/agents.ts";
import { createSpeechGuard } from "../conversation/speech-guard.ts";
import { builtInTools } from "../tools/built-in-tools.ts";
import type { Agent } from "./agent.ts";
import { isPlainObject, type PlainObject } from "./deep-merge.ts";
import { loadCatalog } from "./load-catalog.ts";
import { parseYaml } from "./parse-yaml.ts";
import { builtInCatalogDir, readCatalogFiles } from "./read-catalog.ts";
import { checkSessionAgent, checkSessionScenario, compileFromDocuments, toAgentOverride } from "./session-documents.ts";

const known = { tools: builtInTools, mcpServers: [] };
const catalog = await loadCatalog([builtInCatalogDir()], known);
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
  it("inherits the catalog's defaults, and only those shared rules that it has the tools for", () => {
    const checked = checkSessionAgent(helper, catalog, known);
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    const { name, model, voice, rules, examples } = checked.value;
    expect(name).toBe("Helper");
    expect(model.cascade.deploymentId).not.toBe("");
    expect(voice.name).toMatch(/^en-US-/);
    const intents = rules.intents.map((intent) => intent.name);
    expect(intents).toContain("talk_to_person");
    expect(intents).not.toContain("goodbye");
    expect(examples).toContain("i want to talk to a person");
  });

  it.each<[string, object, { field: string; message: RegExp }]>([
    ["an unknown tool", { tools: ["escalate_human", "fly"] }, { field: "tools.1", message: /unknown tool "fly"/ }],
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
      "a rule without its tool",
      { rules: { intents: { pay: { examples: ["pay"], call: { tool: "end_call", args: { reason: "x" } } } } } },
      { field: "rules.intents.pay.call.tool", message: /not in the agent's tools/ },
    ],
    [
      "a rule that is none",
      { rules: { intents: { pay: { exmples: [] } } } },
      { field: "rules.intents.pay.exmples", message: /unknown key/ },
    ],
    [
      "a rule that hands over to nobody",
      { rules: { intents: { pay: { examples: ["pay"], handoff: { to: "nobody", reason: "x" } } } } },
      { field: "rules.intents.pay.handoff.to", message: /unknown agent "nobody"/ },
    ],
    [
      "a pattern that is none",
      { guardrails: { secret: { pattern: "(", stop: "No." } } },
      { field: "guardrails.secret.pattern", message: /\(/ },
    ],
    ["a missing name", { name: undefined }, { field: "name", message: /./ }],
  ])("is refused for %s, naming the field", (_what, change, problem) => {
    const checked = checkSessionAgent({ ...helper, ...change }, catalog, known);
    expect(checked.ok ? [] : checked.problems).toContainEqual({
      field: problem.field,
      message: expect.stringMatching(problem.message),
      code: "value_invalid",
    });
  });
});

describe("a folder of the catalog, sent by a client", async () => {
  const files = await readCatalogFiles(builtInCatalogDir());
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
      rules: read("rules.yaml"),
    };
  }

  it.each(folders)("is the same agent: %s", (folder) => {
    const body = agentCreateRequest.parse(bodyOf(folder));
    // Scenarios bring variables of their own, which an agent without one has to bring itself.
    const template_vars = { ...body.template_vars, ...catalog.scenarios.get("insurance")?.templateVars };
    const checked = checkSessionAgent({ ...body, template_vars }, catalog, known);
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    const { examples, rules, tools, model, voice, speech, greeting, guardrails } = checked.value;
    const original = catalog.agents.get(folder);
    expect({ examples, rules, tools, model, voice, speech, greeting }).toEqual(
      pick(original, ["examples", "rules", "tools", "model", "voice", "speech", "greeting"]),
    );
    expect(guardrails?.map(({ name }) => name)).toEqual(original?.guardrails?.map(({ name }) => name));
  });

  it("can say other things to the two kinds of model, and withhold or allow words of its own", () => {
    const body = agentCreateRequest.parse({
      ...helper,
      model: { temperature: 0.2, realtime: { deployment_id: "mine" } },
      speech: { vad_silence_timeout_ms: 900, phrases: ["Northwind"] },
      guardrails: { model_talk: null, evil: { pattern: "(a+)+$", replace: "" } },
    });
    const checked = checkSessionAgent(body, catalog, known);
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
  const agent = checkSessionAgent(helper, catalog, known);
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
    const session = compileFromDocuments(catalog, known, "mine", {
      overrides: [{ agentName: "Front-Desk", document: { model: { temperature: 0.1 }, voice: { voice_name: "X" } } }],
      agents: [{ document: helper }],
      scenarios: [{ document: scenario }],
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
    expect(toAgentOverride({ model: { temperature: 0, top_p: null }, voice: null })).toEqual({
      model: { deploymentId: undefined, temperature: 0, topP: undefined, maxTokens: undefined },
      voice: { name: undefined, style: undefined, rate: undefined, pitch: undefined },
    });
  });
});
