import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Steps } from "../platform/steps.ts";
import type { CatalogLanguage, RuleProblem } from "./catalog-language.ts";
import { parseCatalog } from "./parse-catalog.ts";
import { CatalogError, problemLine } from "./problems.ts";

const tools = {
  tools: new Map([["lookup", { parameters: z.object({ account: z.string(), note: z.string().optional() }) }]]),
  mcpServers: ["weather"],
};

const defaults = `
model: { cascade: { deployment_id: gpt, temperature: 0.5 }, realtime: { deployment_id: rt } }
voice: { name: en-US-AvaNeural, rate: "+3%" }
speech: {}
`;
const sharedRules = `
fallback: Pardon?
arrival: How can I help?
escalation: { say: "Sorry." }
intents:
  bye: { examples: [bye], say: Bye. }
`;

/** Rules are words to say; an agent may only say "hello", and all agents together "bye". */
const language: CatalogLanguage = {
  filters: {},
  *compileRules({ own, common }) {
    yield;
    if ("broken" in own) return { problems: [{ source: "own", key: "broken", message: "unknown key" }] };
    const problems: RuleProblem[] = [
      ...("hello" in own || Object.keys(own).length === 0 ? [] : [unknown("own", own)]),
      ...("intents" in common ? [] : [unknown("common", common)]),
    ];
    return { examples: Object.keys(own), suggestions: [], check: () => steps(problems) };
  },
};

function* steps<Value>(value: Value): Steps<Value> {
  yield;
  return value;
}

function unknown(source: RuleProblem["source"], rules: object): RuleProblem {
  return { source, key: Object.keys(rules).join(), message: "nobody says that" };
}

function folder(overrides: Record<string, string | undefined> = {}): Map<string, string> {
  const files: Record<string, string | undefined> = {
    "agents/_defaults.yaml": defaults,
    "agents/_rules.yaml": sharedRules,
    "agents/desk/agent.yaml": "description: Desk.\ntools: [lookup]\nhandoff_trigger: handoff_desk\n",
    "agents/desk/prompt.md": "You are {{ agent_name }}.",
    "agents/expert/agent.yaml": "description: Expert.\nvoice: { name: en-US-AndrewNeural }\n",
    "agents/expert/prompt.md": "You know it all.",
    "scenarios/default.yaml": `
description: Two agents.
agents: [desk, expert]
start_agent: desk
handoffs: [{ from: desk, to: expert }, { from: expert, to: desk, tool: handoff_desk, type: discrete }]
`,
    ...overrides,
  };
  return new Map(Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function problemsOf(overrides: Record<string, string | undefined>): readonly string[] {
  try {
    parseCatalog([folder(overrides)], tools, { language });
    return [];
  } catch (error) {
    if (error instanceof CatalogError) return error.problems.map(problemLine);
    throw error;
  }
}

describe("parseCatalog", () => {
  it("makes the same agents of files that were checked before, and compiles their rules when they are asked for", () => {
    let compilations = 0;
    const counting: CatalogLanguage = {
      ...language,
      compileRules(source) {
        compilations += 1;
        return language.compileRules(source);
      },
    };
    const files = folder({ "agents/desk/rules.yaml": "hello: Hello." });
    const checked = parseCatalog([files], tools, { language });
    const quick = parseCatalog([files], tools, { language: counting, isChecked: true });
    expect(compilations).toBe(0);
    expect(quick.agents.get("desk")?.examples).toEqual(["hello"]);
    expect(quick.agents.get("desk")?.rules?.examples).toEqual(["hello"]);
    expect(compilations).toBe(1);
    const plain = (catalog: typeof quick) => JSON.parse(JSON.stringify([...catalog.agents.values()]));
    expect(plain(quick)).toEqual(plain(checked));
  });

  it("merges an agent over the defaults key by key", () => {
    const catalog = parseCatalog([folder()], tools);
    const expert = catalog.agents.get("expert");
    expect(expert?.voice).toEqual({ name: "en-US-AndrewNeural", rate: "+3%" });
    expect(expert?.model.cascade).toMatchObject({ deploymentId: "gpt", temperature: 0.5 });
    expect(catalog.scenarios.get("default")?.handoffs).toEqual([
      { from: "desk", to: "expert", tool: undefined, type: "announced", shareContext: true, condition: undefined },
      { from: "expert", to: "desk", tool: "handoff_desk", type: "discrete", shareContext: true, condition: undefined },
    ]);
  });

  it("[RT-4] refuses what no realtime model has, and takes what they have", () => {
    const withModel = (realtime: string) =>
      folder({
        "agents/desk/agent.yaml": `description: D.\nhandoff_trigger: handoff_desk\nmodel: { realtime: { ${realtime} } }\n`,
      });
    const { model } =
      parseCatalog([withModel("reasoning_effort: max, parallel_tool_calls: false")], tools).agents.get("desk") ?? {};
    expect(model?.realtime).toMatchObject({ reasoningEffort: "max", parallelToolCalls: false });
    for (const wrong of ["top_p: 0.5", "verbosity: low"])
      expect(() => parseCatalog([withModel(wrong)], tools)).toThrow("a realtime model has no such setting");
  });

  it.each([
    'deployment_id: ""',
    "temperature: 3",
    "temperature: warm",
    "max_tokens: 0",
    "max_tokens: 20000",
    "max_tokens: inf",
    "reasoning_effort: huge",
    "parallel_tool_calls: sometimes",
    "top_p: 0.5",
    "verbosity: low",
    "voice: marin",
  ])("[RT-4] names file, key and line of a setting that no realtime model can have: %s", (wrong) => {
    const file = `description: D.\nhandoff_trigger: handoff_desk\nmodel:\n  realtime:\n    ${wrong}\n`;
    const key = wrong.startsWith("voice") ? "model.realtime" : `model.realtime.${wrong.split(":", 1).join("")}`;
    const message = messageOf(() => parseCatalog([folder({ "agents/desk/agent.yaml": file })], tools));
    expect(message).toMatch(/agents\/desk\/agent\.yaml/);
    expect(message).toContain(key);
    expect(message).toMatch(/\b5\b/);
  });

  it("lets a later folder replace an agent, whatever the letter case, and add others", () => {
    const own = new Map([
      ["agents/Desk/agent.yaml", "description: My own desk.\nhandoff_trigger: handoff_desk\n"],
      ["agents/Desk/prompt.md", "Mine."],
      ["agents/extra/agent.yaml", "description: Another.\n"],
      ["agents/extra/prompt.md", "More."],
    ]);
    const catalog = parseCatalog([folder(), own], tools);
    expect([...catalog.agents.values()].map((agent) => agent.name)).toEqual(["expert", "Desk", "extra"]);
    expect(catalog.agents.get("desk")?.prompt).toBe("Mine.");
    expect(catalog.scenarios.get("default")?.startAgent).toBe("Desk");
  });

  it("adds what callers say by its rules to an agent's own examples", () => {
    const files = folder({
      "agents/expert/agent.yaml": "description: Expert.\nexamples: [how are you]\n",
      "agents/expert/rules.yaml": "hello: 1",
    });
    const { agents } = parseCatalog([files], tools, { language });
    expect(agents.get("expert")?.examples).toEqual(["how are you", "hello"]);
    expect(parseCatalog([files], tools).agents.get("expert")?.examples).toEqual(["how are you"]);
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    [
      "an unknown key",
      { "agents/desk/agent.yaml": "description: D.\nvioce: {}\n" },
      'agents/desk/agent.yaml: vioce: unknown key (did you mean "voice"?) (line 2)',
    ],
    [
      "an unknown key deep down",
      { "agents/desk/agent.yaml": "description: D.\nvoice: { pich: 1 }\n" },
      'agents/desk/agent.yaml: voice.pich: unknown key (did you mean "pitch"?) (line 2)',
    ],
    [
      "a value out of range",
      { "agents/desk/agent.yaml": "description: D.\nmodel: { cascade: { temperature: 3 } }\n" },
      "agents/desk/agent.yaml: model.cascade.temperature: ",
    ],
    [
      "a guardrail that is no pattern",
      { "agents/desk/agent.yaml": "description: D.\nguardrails: { a: { pattern: '(', stop: No. } }\n" },
      "agents/desk/agent.yaml: guardrails.a.pattern: ",
    ],
    [
      "broken YAML",
      { "agents/desk/agent.yaml": "description: [D.\n" },
      "agents/desk/agent.yaml: a bracket that was opened here or before is not",
    ],
    ["an empty prompt", { "agents/desk/prompt.md": "\n" }, "agents/desk/prompt.md: the prompt is empty"],
    ["a missing prompt", { "agents/desk/prompt.md": undefined }, "agents/desk/prompt.md: the prompt is missing"],
    ["a misnamed file", { "agents/desk/promt.md": "x" }, "agents/desk/promt.md: not a file of the catalog"],
    [
      "an unknown tool",
      { "agents/desk/agent.yaml": "description: D.\ntools: [lookup, fly]\nhandoff_trigger: handoff_desk\n" },
      'agents/desk/agent.yaml: tools.1: unknown tool "fly"',
    ],
    ["a template error", { "agents/desk/prompt.md": "{{ agent_name " }, "agents/desk/prompt.md: output"],
    [
      "an unknown variable",
      { "agents/desk/prompt.md": "{{ nobody }}" },
      "agents/desk/prompt.md: unknown variable nobody",
    ],
    [
      "rules that are none",
      { "agents/expert/rules.yaml": "broken: 1" },
      "agents/expert/rules.yaml: broken: unknown key",
    ],
    [
      "a mistake in an agent's own rules",
      { "agents/expert/rules.yaml": "hey: 1" },
      "agents/expert/rules.yaml: hey: nobody says that",
    ],
    [
      "a mistake in the rules that all agents have",
      { "agents/_rules.yaml": "ciao: 1" },
      "agents/_rules.yaml: ciao: nobody says that",
    ],
    [
      "an unknown agent in a scenario",
      { "scenarios/s.yaml": "description: S.\nagents: [desk, nobody]\nstart_agent: desk" },
      'scenarios/s.yaml: agents.1: unknown agent "nobody"',
    ],
    [
      "a start agent outside the scenario",
      { "scenarios/s.yaml": "description: S.\nagents: [desk]\nstart_agent: expert" },
      'scenarios/s.yaml: start_agent: "expert" is not one of',
    ],
    [
      "a handoff to nowhere",
      {
        "scenarios/s.yaml":
          "description: S.\nagents: [desk]\nstart_agent: desk\nhandoffs: [{ from: desk, to: expert }]",
      },
      'scenarios/s.yaml: handoffs.0.to: "expert" is not one of',
    ],
    [
      "a trigger of another agent",
      {
        "scenarios/s.yaml":
          "description: S.\nagents: [desk, expert]\nstart_agent: desk\nhandoffs: [{ from: desk, to: expert, tool: handoff_desk }]",
      },
      'scenarios/s.yaml: handoffs.0.tool: "handoff_desk" is not the handoff_trigger of "expert"',
    ],
    [
      "two agents of one name",
      { "agents/Desk/agent.yaml": "description: D.\n", "agents/Desk/prompt.md": "Mine." },
      "agents/Desk: agents/desk has the same name, because letter case does not count",
    ],
    [
      "two scenarios of one name",
      { "scenarios/Default.yaml": "description: S.\nagents: [desk]\nstart_agent: desk" },
      "scenarios/Default.yaml: scenarios/default.yaml has the same name, because letter case does not count",
    ],
    [
      "a trigger that is the tool for every handoff",
      { "agents/expert/agent.yaml": "description: E.\nhandoff_trigger: handoff_to_agent\n" },
      'agents/expert/agent.yaml: handoff_trigger: "handoff_to_agent" hands over to any agent; choose another name',
    ],
    [
      "a target of every handoff that takes no part",
      {
        "scenarios/s.yaml":
          "description: S.\nagents: [desk]\nstart_agent: desk\ngeneric_handoff: { enabled: true, targets: [Desk, expert] }",
      },
      'scenarios/s.yaml: generic_handoff.targets.1: "expert" is not one of the scenario\'s agents',
    ],
    [
      "a target of every handoff that is listed twice",
      {
        "scenarios/s.yaml":
          "description: S.\nagents: [desk, expert]\nstart_agent: desk\ngeneric_handoff: { enabled: true, targets: [expert, Expert] }",
      },
      'scenarios/s.yaml: generic_handoff.targets.1: "Expert" is listed twice',
    ],
    [
      "a variable of an agent that the conversation's own would replace",
      { "agents/expert/agent.yaml": "description: E.\ntemplate_vars: { language: Klingon }\n" },
      "agents/expert/agent.yaml: template_vars.language: the conversation itself has a variable of this name, which would replace it; choose another name (line 2)",
    ],
    [
      "a variable of a scenario that the conversation's own would replace",
      { "scenarios/s.yaml": "description: S.\nagents: [desk]\nstart_agent: desk\ntemplate_vars:\n  today: never" },
      "scenarios/s.yaml: template_vars.today: the conversation itself has a variable of this name, which would replace it; choose another name (line 5)",
    ],
    [
      "a prompt that no conversation could have",
      { "agents/expert/prompt.md": "{% for i in (1..9000) %}{{ i }}{% endfor %}" },
      "agents/expert/prompt.md: template steps limit exceeded",
    ],
    [
      "one of several prompts that no conversation could have",
      {
        "agents/expert/agent.yaml": "description: E.\nprompt_shares: { v2: 20 }\n",
        "agents/expert/prompt.v2.md": "{% for i in (1..9000) %}{{ i }}{% endfor %}",
      },
      "agents/expert/prompt.v2.md: template steps limit exceeded",
    ],
    [
      "a greeting that nobody would listen to",
      {
        "agents/expert/agent.yaml": `description: E.\ngreeting: "{% for i in (1..9) %}${"x".repeat(900)}{% endfor %}"\n`,
      },
      "agents/expert/agent.yaml: greeting: ",
    ],
  ])("names file and key for %s", (_what, overrides, expected) => {
    const problems = problemsOf(overrides);
    expect(problems.find((line) => line.startsWith(expected)) ?? problems).toContain(expected);
  });

  it("reports the problems of all files at once", () => {
    const problems = problemsOf({
      "agents/desk/agent.yaml": "description: D.\nx: 1\ny: 2\n",
      "scenarios/default.yaml": "agents: []",
    });
    expect(problems).toContain("agents/desk/agent.yaml: x: unknown key (line 2)");
    expect(problems).toContain("agents/desk/agent.yaml: y: unknown key (line 3)");
    expect(problems.some((line) => line.startsWith("scenarios/default.yaml: start_agent: "))).toBe(true);
  });

  it("accepts tools of a configured MCP server, which are known only at run time", () => {
    expect(
      problemsOf({
        "agents/desk/agent.yaml": "description: D.\ntools: [weather_today]\nhandoff_trigger: handoff_desk\n",
      }),
    ).toEqual([]);
  });
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "";
}
