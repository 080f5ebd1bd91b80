/** A project with one mistake at a time, as somebody makes them who writes their first agents. */
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { agentDefaults, unsetModels, unsetVoice } from "@voice/shared/catalog/agent-defaults";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { withCatalogTools } from "@voice/shared/catalog/known-tools";
import { parseCatalog } from "@voice/shared/catalog/parse-catalog";
import { CatalogError, problemLine } from "@voice/shared/catalog/problems";
import { builtInCatalogDir, readCatalogFiles } from "@voice/shared/catalog/read-catalog";
import type { CatalogFiles } from "@voice/shared/catalog/read-catalog";
import { demoTools } from "@voice/shared/demo/demo-parts";
import { expect, it } from "vitest";
import { parseDialogues } from "./dialogues/read-dialogues.ts";
import { unusedParts } from "./unused-parts.ts";

const known = { tools: demoTools, mcpServers: [] };
const options = { agentDefaults: agentDefaults(unsetVoice, unsetModels), language: catalogLanguage };
/** What all agents have in common; the built-in ones are no part of it. */
const common: CatalogFiles = await readCatalogFiles(builtInCatalogDir());
const project = await readCatalogFiles(new URL("new-project/template", import.meta.url).pathname);
const builtIn = parseCatalog([common], known, options);

function problemsOf(files: CatalogFiles): readonly string[] {
  try {
    const catalog = parseCatalog([common, files], known, options);
    const unused = unusedParts(catalog, builtIn, []);
    return [...dialogueProblems(files, catalog), ...unused];
  } catch (error) {
    if (error instanceof CatalogError) return error.problems.map(problemLine);
    throw error;
  }
}

function dialogueProblems(files: CatalogFiles, catalog: Catalog): readonly string[] {
  try {
    parseDialogues([files], catalog, withCatalogTools(known, catalog));
    return [];
  } catch (error) {
    if (error instanceof CatalogError) return error.problems.map(problemLine);
    throw error;
  }
}

/** File, what stands there, what somebody writes instead, and what they are told. */
const mistakes = String.raw`
orders/rules.yaml ¦ { order: "{{ slots.order }}" } ¦ { order: "{{ slots.number }}" } ¦ intents.order_status.call.args.order: unknown value slots.number (known here: order)
desk/rules.yaml ¦ handoff: { to: project-name-orders ¦ handoff: { to: project-name ¦ intents.order.handoff.to: no scenario has a handoff from project-name to project-name
orders/rules.yaml ¦ type: digits ¦ type: choice
        options: [one, two] ¦ intents.order_status.slots.order.options: expected each option with the words for it
orders/rules.yaml ¦ where is order {order} ¦ where is order {number} ¦ intents.order_status.examples.2: unknown slot "{number}"
orders/rules.yaml ¦ type: digits ¦ type: digit ¦ intents.order_status.slots.order.type: Invalid option: expected one of "digits"
orders/rules.yaml ¦ ask: What are ¦ # ask: What are ¦ intents.order_status.slots.order.ask: is missing: "order_status" needs the argument "order", and callers would not be asked
orders/rules.yaml ¦ args: { order: ¦ args: { ordre: ¦ intents.order_status.call.args.ordre: "order_status" has no such argument
orders/rules.yaml ¦ { order: "{{ slots.order }}" } ¦ {} ¦ intents.order_status.call.args: "order_status" needs the argument "order"
orders/rules.yaml ¦ { order: "{{ slots.order }}" } ¦ { order: A-17 } ¦ intents.order_status.call.args.order: "A-17" does not fit: Invalid string: must match pattern
orders/rules.yaml ¦ result.minutes ¦ result.minute ¦ intents.order_status.after.success: unknown value result.minute (known here: error, message, minutes, state, success)
orders/rules.yaml ¦ | digits ¦ | digit ¦ intents.order_status.after.success: undefined filter: digit
orders/rules.yaml ¦     slots:
 ¦     first: { intent: verify, unless: verified }
    slots:
 ¦ intents.order_status.first.intent: unknown intent "verify"
orders/rules.yaml ¦ arrival: ¦ arival: ¦ arival: unknown key
orders/rules.yaml ¦ call: { tool: order_status ¦ call: { tool: block_card ¦ intents.order_status.call.tool: "block_card" is not in the agent's tools
desk/rules.yaml ¦ examples:
      - when are you open
      - what are your opening hours
      - are you open today ¦ examples: [] ¦ intents.when_open.examples: nobody gets here
desk/rules.yaml ¦ to: project-name-orders ¦ to: orders ¦ intents.order.handoff.to: unknown agent "orders"
desk/agent.yaml ¦ escalate_human ¦ escalate ¦ tools.0: unknown tool "escalate"
desk/agent.yaml ¦ escalate_human ¦ end_call ¦ tools.1: "end_call" is listed twice
desk/agent.yaml ¦ {{ institution_name }} ¦ {{ institution }} ¦ greeting: unknown variable institution
desk/agent.yaml ¦ en-US ¦ english ¦ speech.language: expected a language tag such as en-US
desk/agent.yaml ¦ tools: ¦ prompt_shares: { v2: 20 }
tools: ¦ prompt_shares.v2: there is no prompt.v2.md
desk/agent.yaml ¦   language: ¦ 	language: ¦ the line begins with a tab: indent it with spaces (line 7)
desk/prompt.md ¦ {{ institution_name }} ¦ {{ institution }} ¦ unknown variable institution
scenario.yaml ¦ agents: [project-name, project-name-orders] ¦ agents: [project-name, orders] ¦ agents.1: unknown agent "orders"
scenario.yaml ¦ start_agent: project-name ¦ start_agent: desk ¦ start_agent: "desk" is not one of the scenario's agents
scenario.yaml ¦ - { from: project-name, to ¦ # - { from: project-name, to ¦ project-name-orders cannot be reached from the start agent
scenario.yaml ¦ institution_name: ¦ opening_hours: all day
  institution_name: ¦ template_vars.opening_hours: no agent of the scenario uses it
scenario.yaml ¦ description: ¦ time_zone: Europe/Pariss
description: ¦ time_zone: there is no such time zone
tool.yaml ¦ {{ args.order }} ¦ {{ args.number }} ¦ request.url: unknown value args.number (known here: order)
tool.yaml ¦ required: [order] ¦ required: [number] ¦ parameters.required: "number" is not among the properties
tool.yaml ¦ method: GET ¦ method: FETCH ¦ request.method: Invalid option: expected one of "GET"
tool.yaml ¦ timeout_ms: 5000 ¦ timeout_ms: 5s ¦ timeout_ms: Invalid input: expected number
dialogue.yaml ¦ scenario: project-name ¦ scenario: pizza ¦ scenario: unknown scenario pizza
dialogue.yaml ¦ name: order_status, args: { order: "4412" } ¦ name: order_state ¦ $first: steps.2.tool: unknown tool order_state
dialogue.yaml ¦ { name: order_status, args: { order: "9999" } } ¦ block_card ¦ an order that nobody has: steps.0.tool: no agent of the scenario project-name lists block_card among its tools
dialogue.yaml ¦ args: { order: "4412" } ¦ args: { number: "4412" } ¦ $first: steps.2.tool: order_status has no argument number
dialogue.yaml ¦ args: { order: "4412" } ¦ args: { order: 4412 } ¦ $first: steps.2.tool: args.order: 4412 does not fit: Invalid input: expected string
dialogue.yaml ¦ { state: in the oven } ¦ { status: in the oven } ¦ $first: steps.2.tool: a result of order_status has no status (it has state, minutes)
dialogue.yaml ¦ answer_has: from ¦ answers: from ¦ dialogues.0.steps.0.answers: unknown key
dialogue.yaml ¦ handoff: project-name-orders ¦ handoff: orders ¦ $first: steps.1.handoff: no agent orders in the scenario project-name
dialogue.yaml ¦ say: four four one two ¦ say: "{order.number}" ¦ $first: steps.2.say: {order.number}: unknown tool order
dialogue.yaml ¦ say: four four one two ¦ say: "{profile.pinn}" ¦ $first: steps.2.say: {profile.pinn}: customers have no pinn
`
  .replaceAll(String.raw`\n`, "\n")
  .replaceAll(String.raw`\t`, "\t")
  .replaceAll("$first", "opening hours, and an order that is on its way");

const files: Readonly<Record<string, string>> = {
  "orders/rules.yaml": "agents/project-name-orders/rules.yaml",
  "desk/rules.yaml": "agents/project-name/rules.yaml",
  "desk/agent.yaml": "agents/project-name/agent.yaml",
  "desk/prompt.md": "agents/project-name/prompt.md",
  "scenario.yaml": "scenarios/project-name.yaml",
  "dialogue.yaml": "scenarios/project-name.dialogue.yaml",
  "tool.yaml": "tools/order_status.yaml",
};

it("finds nothing in a project without a mistake", () => {
  expect(problemsOf(project)).toEqual([]);
});

it.each(
  mistakes
    .split(/\n(?=[\w/.]+ ¦)/)
    .slice(1)
    .map((line) => line.trimEnd().split(" ¦ ")),
)("finds in %s, where it says %s, the mistake %s", (place = "", right = "", wrong = "", told) => {
  const file = files[place] ?? "";
  const text = project.get(file) ?? "";
  expect(text).toContain(right);
  const found = problemsOf(new Map([...project, [file, text.replace(right, wrong)]]));
  expect(found.filter((line) => line.startsWith(`${file}: ${told}`)).length > 0 || found).toBe(true);
});

it("finds the agents of a scenario whatever the letter case of their names", () => {
  const capital = (text: string): string => text.replaceAll(/project-name(?=[ ,/\]}]|$)/gm, "Project-Name");
  const renamed = [...project]
    .filter(([path]) => !path.endsWith(".dialogue.yaml"))
    .map(([path, text]): [string, string] => [path.replace("agents/project-name/", "agents/Project-Name/"), text]);
  expect(problemsOf(new Map(renamed.map(([path, text]) => [path, capital(text)])))).toEqual([]);
});

it("finds a handoff of a dialogue that nobody makes", () => {
  const file = "scenarios/project-name.dialogue.yaml";
  const text = (project.get(file) ?? "").replace(
    "    steps:\n      - say: My",
    "    steps:\n      - { say: hello, handoff: project-name-orders }\n      - say: My",
  );
  const scenario = (project.get("scenarios/project-name.yaml") ?? "").replace(/.*to: project-name-orders.*\n/, "");
  expect(problemsOf(new Map([...project, [file, text], ["scenarios/project-name.yaml", scenario]]))).toContainEqual(
    expect.stringContaining(
      `${file}: an order that nobody has: steps.0.handoff: nobody hands over to project-name-orders in the scenario project-name (line `,
    ),
  );
});
