import { demoCatalogDir } from "@voice/shared/demo/demo";
import { atOnce } from "@voice/shared/platform/steps";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isPlainObject, type PlainObject } from "@voice/shared/platform/plain-object";
import { withCatalogTools } from "@voice/shared/catalog/known-tools";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { parseCatalog } from "@voice/shared/catalog/parse-catalog";
import { parseYaml } from "@voice/shared/catalog/parse-yaml";
import { CatalogError, problemLine } from "@voice/shared/catalog/problems";
import { readCatalogFiles } from "@voice/shared/catalog/read-catalog";
import { checkSessionAgent } from "@voice/shared/catalog/session-documents";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { numberToWords } from "@voice/shared/languages/en/spoken-values";
import { catalogLanguage } from "./catalog-language.ts";
import { rulesOf } from "./rule-set.ts";

const known = { tools: demoTools, mcpServers: [] };
const builtIn = await loadCatalog(demoCatalogDirs, known, { language: catalogLanguage });

describe("the rules of a folder", () => {
  const lookup = { parameters: z.object({ account: z.string(), note: z.string().optional() }) };
  const commonRules = `
fallback: Pardon?
arrival: How can I help?
escalation: { say: "Sorry." }
intents:
  bye: { examples: [bye], say: Bye. }
`;

  function parse(overrides: Readonly<Record<string, string>>) {
    const files = new Map(
      Object.entries({
        "agents/_defaults.yaml":
          "model: { cascade: { deployment_id: a }, realtime: { deployment_id: b } }\nvoice: { name: c }\n",
        "agents/_rules.yaml": commonRules,
        "agents/desk/agent.yaml": "description: Desk.\ntools: [lookup]\n",
        "agents/desk/prompt.md": "You are the desk.",
        "agents/expert/agent.yaml": "description: Expert.\n",
        "agents/expert/prompt.md": "You know it all.",
        ...overrides,
      }),
    );
    const tools = { tools: new Map([["lookup", lookup]]), mcpServers: [] };
    return parseCatalog([files], tools, { language: catalogLanguage });
  }

  function intentsOf(agent: string, overrides: Readonly<Record<string, string>> = {}): readonly string[] {
    const found = parse(overrides).agents.get(agent);
    return found === undefined ? [] : rulesOf(found).intents.map(({ name }) => name);
  }

  function problemsOf(overrides: Readonly<Record<string, string>>): readonly string[] {
    try {
      parse(overrides);
      return [];
    } catch (error) {
      if (error instanceof CatalogError) return error.problems.map(problemLine);
      throw error;
    }
  }

  it("say of a result only what the tool gives, where it says what that is", () => {
    const rules = (say: string) => ({
      "agents/desk/rules.yaml": `intents: { a: { examples: [look], call: { tool: order_status, args: {} }, after: { success: { say: "${say}" } } } }`,
      "agents/desk/agent.yaml": "description: Desk.\ntools: [order_status]\n",
      "tools/order_status.yaml":
        "description: Looks.\nrequest: { url: 'https://orders.example/x' }\nresponse: { result: { state: order.state } }\n",
    });
    expect(problemsOf(rules("It is {{ result.state }}, {{ result.message }}."))).toEqual([]);
    expect(problemsOf(rules("It is {{ result.stat }}."))).toEqual([
      "agents/desk/rules.yaml: intents.a.after.success: unknown value result.stat (known here: error, message, state, success) (line 1)",
    ]);
  });

  it("begin with those that all agents have, of which an agent can remove some", () => {
    expect(intentsOf("expert")).toEqual(["bye"]);
    expect(intentsOf("expert", { "agents/expert/rules.yaml": "intents: { bye: null }" })).toEqual([]);
  });

  it("are refused before anything is made of them when a choice has too many wordings", () => {
    const options = `options: { o: [${Array.from({ length: 21 }, (_, at) => `w${at}`).join(", ")}] }`;
    const boom = `intents: { boom: { examples: [a], slots: { c: { type: choice, ${options} } }, say: ok } }`;
    expect(problemsOf({ "agents/desk/rules.yaml": boom })).toContainEqual(
      expect.stringMatching(/intents.boom.slots.c.options.o: .*20/),
    );
  });

  it("[EAR-50] accept an example with many choices, whatever their combinations are", () => {
    const values = (name: string) =>
      Array.from({ length: 40 }, (_, at) => `${name} ${at}: [${name} ${numberToWords(at)}]`).join(", ");
    const names = ["size", "roast", "shots", "drink", "milk", "sugar"];
    const slots = names.map((name) => `${name}: { type: choice, options: { ${values(name)} } }`).join(", ");
    const example = "i want a {size} {roast} {shots} {drink} with {milk} and {sugar}";
    const rules = `intents: { order: { examples: ["${example}"], slots: { ${slots} }, say: ok } }`;
    expect(problemsOf({ "agents/desk/rules.yaml": rules })).toEqual([]);
  });

  it("are refused when the answers, corrections and values that a recogniser listens for are too many", () => {
    const intent = (at: number): string => {
      const answers = Array.from({ length: 50 }, (_, n) => `it was ${at} ${n} {day}`);
      const slot = (name: string): string =>
        `${name}: { type: date, ask: When?, answers: ${JSON.stringify(answers.map((words) => words.replace("day", name)))} }`;
      const slots = Array.from({ length: 16 }, (_, n) => slot(`day_${String.fromCodePoint(97 + n)}`)).join(", ");
      return `intent_${at}: { examples: [look ${at}], slots: { ${slots} }, say: ok }`;
    };
    const rules = `intents: { ${Array.from({ length: 5 }, (_, at) => intent(at)).join(", ")} }`;
    expect(problemsOf({ "agents/desk/rules.yaml": rules })).toContainEqual(
      expect.stringMatching(/^agents\/desk\/rules.yaml: intents.intent_.\.examples: .* may have (5000|20000) in all/),
    );
  });

  it.each<[string, (at: number) => string, RegExp]>([
    ["words", () => "one two three four five six seven eight nine ten", /are 1000 words; an agent may have 20000/],
    ["different words", (at) => `w${at}a w${at}b`, /more than 2000 different words/],
  ])("are refused when their examples have too many %s", (_what, example, problem) => {
    const intent = (number: number): string => {
      const examples = Array.from({ length: 100 }, (_, at) => example(number * 100 + at));
      return `i${number}: { examples: [${examples.join(", ")}], say: ok }`;
    };
    const rules = `intents: { ${Array.from({ length: 21 }, (_, number) => intent(number)).join(", ")} }`;
    expect(problemsOf({ "agents/desk/rules.yaml": rules })).toContainEqual(expect.stringMatching(problem));
  });

  it("leave out what all agents have when it calls a tool that this agent does not have", () => {
    const look = "  look: { examples: [look], call: { tool: lookup, args: { account: x } } }\n";
    const common = { "agents/_rules.yaml": `${commonRules}${look}` };
    expect(intentsOf("desk", common)).toEqual(["bye", "look"]);
    expect(intentsOf("expert", common)).toEqual(["bye"]);
  });

  it.each([
    [
      "an unknown tool",
      { "agents/expert/rules.yaml": "intents: { a: { examples: [a], call: { tool: lookup, args: { account: x } } } }" },
      'agents/expert/rules.yaml: intents.a.call.tool: "lookup" is not in the agent\'s tools',
    ],
    [
      "an unknown argument",
      {
        "agents/desk/rules.yaml":
          "intents: { a: { examples: [a], call: { tool: lookup, args: { account: x, acount: y } } } }",
      },
      "agents/desk/rules.yaml: intents.a.call.args.acount: ",
    ],
    [
      "a missing argument",
      { "agents/desk/rules.yaml": "intents: { a: { examples: [a], call: { tool: lookup } } }" },
      'agents/desk/rules.yaml: intents.a.call.args: "lookup" needs the argument "account"',
    ],
    [
      "an unknown slot",
      { "agents/desk/rules.yaml": 'intents: { a: { examples: ["say {what}"], say: A. } }' },
      'agents/desk/rules.yaml: intents.a.examples.0: unknown slot "{what}"',
    ],
    [
      "an unknown slot in an answer",
      {
        "agents/desk/rules.yaml":
          'intents: { a: { examples: [a], slots: { n: { type: number, ask: How many?, answers: ["{m}"] } }, say: A. } }',
      },
      'agents/desk/rules.yaml: intents.a.slots.n.answers.0: unknown slot "{m}"',
    ],
    [
      "an unknown variable in a question",
      {
        "agents/desk/rules.yaml":
          'intents: { a: { examples: [a], slots: { n: { type: number, ask: "How many {{ x }}?" } }, say: A. } }',
      },
      "agents/desk/rules.yaml: intents.a.slots.n.ask: unknown variable x",
    ],
    [
      "a result before the tool was called",
      { "agents/desk/rules.yaml": 'intents: { a: { examples: [a], confirm: "{{ result.x }}?", say: A. } }' },
      "agents/desk/rules.yaml: intents.a.confirm: unknown variable result",
    ],
    [
      "an unknown next intent",
      { "agents/desk/rules.yaml": "intents: { a: { examples: [a], say: A., after: { success: { next: b } } } }" },
      'agents/desk/rules.yaml: intents.a.after.success.next: unknown intent "b"',
    ],
    [
      "an unknown intent that has to come first",
      { "agents/desk/rules.yaml": "intents: { a: { examples: [a], first: { intent: b, unless: c }, say: A. } }" },
      'agents/desk/rules.yaml: intents.a.first.intent: unknown intent "b"',
    ],
    [
      "an unknown handoff target",
      { "agents/desk/rules.yaml": "intents: { a: { examples: [a], handoff: { to: nobody, reason: R } } }" },
      'agents/desk/rules.yaml: intents.a.handoff.to: unknown agent "nobody"',
    ],
    [
      "an escalation of the agent's own",
      { "agents/desk/rules.yaml": "escalation: { handoff: { to: nobody, reason: R } }" },
      'agents/desk/rules.yaml: escalation.handoff.to: unknown agent "nobody"',
    ],
    [
      "an intent that does nothing",
      { "agents/desk/rules.yaml": "intents: { a: { examples: [a] } }" },
      "agents/desk/rules.yaml: intents.a: expected exactly one of",
    ],
    [
      "an intent of all agents",
      { "agents/_rules.yaml": commonRules.replace("say: Bye.", "say: '{{ nobody }}'") },
      "agents/_rules.yaml: intents.bye.say: unknown variable nobody",
    ],
  ])("name file and key for %s", (_what, overrides, expected) => {
    const problems = problemsOf(overrides);
    expect(problems.find((line) => line.startsWith(expected)) ?? problems).toContain(expected);
  });
});

describe("the rules of an agent for one session", () => {
  const helper = { name: "Helper", prompt: "You help callers.", tools: ["escalate_human"] };

  it("are those that all agents have, as far as it has their tools", () => {
    const checked = atOnce(checkSessionAgent(helper, builtIn, known));
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    const intents = rulesOf(checked.value).intents.map(({ name }) => name);
    expect(intents).toContain("talk_to_person");
    expect(intents).not.toContain("goodbye");
    expect(checked.value.examples).toContain("i want to talk to a person");
  });

  it.each([
    [
      "a tool that it does not have",
      { intents: { pay: { examples: ["pay"], call: { tool: "end_call", args: { reason: "x" } } } } },
      { field: "rules.intents.pay.call.tool", message: /not in the agent's tools/ },
    ],
    [
      "an unknown key",
      { intents: { pay: { exmples: [] } } },
      { field: "rules.intents.pay.exmples", message: /unknown key/ },
    ],
    [
      "a handoff to nobody",
      { intents: { pay: { examples: ["pay"], handoff: { to: "nobody", reason: "x" } } } },
      { field: "rules.intents.pay.handoff.to", message: /unknown agent "nobody"/ },
    ],
  ])("are refused for %s, naming the field", (_what, rules, { field, message }) => {
    const checked = atOnce(checkSessionAgent({ ...helper, rules }, builtIn, known));
    expect(checked.ok ? [] : checked.problems).toContainEqual({
      field,
      message: expect.stringMatching(message),
      code: "value_invalid",
    });
  });

  it.each([...builtIn.agents.keys()])("are the same as from the folder: %s", async (folder) => {
    const files = await readCatalogFiles(demoCatalogDir);
    const read = (file: string): PlainObject => parseYaml(file, files.get(`agents/${folder}/${file}`) ?? "", []) ?? {};
    const { tools, knowledge, examples, template_vars } = read("agent.yaml");
    const body = {
      name: `My-${folder}`,
      prompt: "You help callers.",
      tools,
      knowledge,
      examples,
      // Scenarios define variables; an agent without a scenario has to define them itself.
      template_vars: {
        ...(isPlainObject(template_vars) ? template_vars : {}),
        ...builtIn.scenarios.get("insurance")?.templateVars,
      },
      rules: read("rules.yaml"),
    };
    const checked = atOnce(checkSessionAgent(body, builtIn, withCatalogTools(known, builtIn)));
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    const original = builtIn.agents.get(folder);
    expect(checked.value.examples).toEqual(original?.examples);
    expect(checked.value.rules).toEqual(original?.rules);
  });
});

it("writes the built-in agents' examples as a recogniser hears them: lower case, no punctuation, known slots", () => {
  const examples = [...builtIn.agents.values()].flatMap((agent) => agent.examples);
  const heard = /^([a-z' ]|\{(digits|digits \d|number|amount|date|[a-z_]+\.[a-z_]+(: [a-z' |]+)?)\})+$/;
  expect(examples.length).toBeGreaterThan(100);
  expect(examples.filter((example) => !heard.test(example))).toEqual([]);
});

it("shows one sentence for each thing that an agent does, without a gap for a value", () => {
  const suggestions = [...builtIn.agents.values()].flatMap((agent) => agent.rules?.suggestions ?? []);
  expect(suggestions.length).toBeGreaterThan(20);
  expect(suggestions.filter((sentence) => sentence.includes("{"))).toEqual([]);
});
