/** Checks references to tools, agents and variables, including those in an agent's rules. */
import type { Steps } from "../platform/steps.ts";
import type { Agent } from "./agent.ts";
import { isKnownTool } from "./known-tools.ts";
import type { KnownTools } from "./known-tools.ts";
import type { KnowledgeSources } from "../knowledge/knowledge-source.ts";
import { searchKnowledgeName } from "../knowledge/search-knowledge.ts";
import { didYouMean } from "./nearest-name.ts";
import type { CatalogProblem } from "./problems.ts";
import type { Scenario } from "./scenario.ts";
import type { Templates } from "./template.ts";

/** Variables available to all prompts and greetings, in addition to the agent's and the scenarios'. */
export const runtimeVariables = [
  "agent_name",
  "context",
  "handoff_context",
  "handoff_reason",
  "is_return",
  "language",
  "memory",
  "previous_agent",
  "time_zone",
  "today",
] as const;

/** Variables of an agent or a scenario that no template can see, because the conversation's own value of the same name replaces them. */
function hiddenVariables(file: string, templateVars: Readonly<Record<string, unknown>>): readonly CatalogProblem[] {
  return runtimeVariables
    .filter((name) => Object.hasOwn(templateVars, name))
    .map((name) => ({
      file,
      key: `template_vars.${name}`,
      message: "the conversation itself has a variable of this name, which would replace it; choose another name",
    }));
}

/** The names of the documents that an agent's rules come from, so that mistakes in them can be located. */
export interface RulesPaths {
  readonly own: string;
  readonly common: string;
}

export interface ReferenceScope {
  readonly agents: KnownAgents;
  readonly tools: KnownTools;
  readonly knowledge: KnowledgeSources;
  readonly scenarios: readonly Scenario[];
  readonly templates: Templates;
}

export function* agentReferenceProblems(
  agent: Agent,
  { agents, tools, knowledge, scenarios, templates }: ReferenceScope,
  rulesPaths: RulesPaths,
): Steps<readonly CatalogProblem[]> {
  const own = ownVariables(agent, scenarios);
  const variables = new Set([...runtimeVariables, ...own]);
  const template = (file: string, key: string, text: string | undefined): readonly CatalogProblem[] => {
    const message = text === undefined ? undefined : templates.problem(text, variables);
    return message === undefined ? [] : [{ file, key, message }];
  };
  const knowsAgent = (name: string): boolean => isKnownAgent(agents, name);
  const inRules =
    agent.rules === undefined ? [] : yield* agent.rules.check({ knowsAgent, tools, variables: new Set(own) });
  const inGreetings = [
    ...template(agent.configPath, "greeting", agent.greeting),
    ...template(agent.configPath, "return_greeting", agent.returnGreeting),
  ];
  yield;
  return [
    ...agent.tools
      .map((name, index) => ({ name, index }))
      .filter(({ name }) => !isKnownTool(tools, name))
      .map(({ name, index }) => ({
        file: agent.configPath,
        key: `tools.${index}`,
        message: `unknown tool "${name}"${didYouMean(name, tools.tools.keys())}`,
      })),
    ...agent.tools
      .map((name, index) => ({ name, index }))
      .filter(({ name, index }) => agent.tools.indexOf(name) !== index)
      .map(({ name, index }) => ({
        file: agent.configPath,
        key: `tools.${index}`,
        message: `"${name}" is listed twice`,
      })),
    ...knowledgeProblems(agent, knowledge),
    ...triggerProblems(agent, agents),
    ...hiddenVariables(agent.configPath, agent.templateVars),
    ...inGreetings,
    ...template(agent.promptPath, "", agent.prompt),
    ...(agent.otherPrompts ?? []).flatMap(({ promptPath, prompt }) => template(promptPath, "", prompt)),
    ...inRules.map(({ source, key, message }) => ({ file: rulesPaths[source], key, message })),
  ];
}

function knowledgeProblems(
  { configPath: file, knowledge = [], tools }: Agent,
  sources: KnowledgeSources,
): readonly CatalogProblem[] {
  const unknown = knowledge.flatMap((name, index) => {
    if (sources.has(name)) return [];
    const message = `there is no folder and no index knowledge/${name}${didYouMean(name, sources.keys())}`;
    return [{ file, key: `knowledge.${index}`, message }];
  });
  const listed = tools.indexOf(searchKnowledgeName);
  if (knowledge.length > 0 || listed < 0 || sources.size === 0) return unknown;
  const [name = ""] = sources.keys();
  const message = `"${searchKnowledgeName}" has nothing to search; name folders of knowledge/, such as \`knowledge: [${name}]\``;
  return [{ file, key: `tools.${listed}`, message }];
}

export function scenarioReferenceProblems(scenario: Scenario, names: KnownAgents): readonly CatalogProblem[] {
  const file = `scenarios/${scenario.name}.yaml`;
  const exists = (name: string): boolean => isKnownAgent(names, name);
  const member = (name: string): boolean => scenario.agents.some((agent) => agent.toLowerCase() === name.toLowerCase());
  const noMember = (name: string): string =>
    `"${name}" is not one of the scenario's agents${didYouMean(name, scenario.agents)}`;
  const problems: CatalogProblem[] = [...hiddenVariables(file, scenario.templateVars)];
  const report = (key: string, message: string): void => void problems.push({ file, key, message });
  for (const [index, name] of scenario.agents.entries()) {
    if (!exists(name)) report(`agents.${index}`, `unknown agent "${name}"${didYouMean(name, namesOf(names))}`);
    if (scenario.agents.indexOf(name) !== index) report(`agents.${index}`, `"${name}" is listed twice`);
  }
  if (!member(scenario.startAgent)) report("start_agent", noMember(scenario.startAgent));
  for (const [index, edge] of scenario.handoffs.entries()) {
    if (!member(edge.from)) report(`handoffs.${index}.from`, noMember(edge.from));
    if (!member(edge.to)) report(`handoffs.${index}.to`, noMember(edge.to));
    if (edge.from === edge.to) report(`handoffs.${index}.to`, "an agent cannot hand over to itself");
    const twin = scenario.handoffs.findIndex((other) => other.from === edge.from && other.to === edge.to);
    if (twin !== index) report(`handoffs.${index}`, `the same handoff as handoffs.${twin}`);
    const target = names.agents.get(edge.to.toLowerCase());
    if (edge.tool !== undefined && target !== undefined && edge.tool !== target.handoffTrigger)
      report(`handoffs.${index}.tool`, `"${edge.tool}" is not the handoff_trigger of "${edge.to}"`);
  }
  return problems;
}

function namesOf({ agents }: KnownAgents): readonly string[] {
  return [...agents.values()].map(({ name }) => name);
}

function triggerProblems(agent: Agent, names: KnownAgents): readonly CatalogProblem[] {
  const trigger = agent.handoffTrigger;
  const rival = [...names.agents.values()].find(
    (other) => other.name !== agent.name && other.handoffTrigger === trigger,
  );
  if (trigger === undefined || rival === undefined) return [];
  return [
    { file: agent.configPath, key: "handoff_trigger", message: `"${trigger}" is also the trigger of "${rival.name}"` },
  ];
}

function ownVariables(agent: Agent, scenarios: readonly Scenario[]): readonly string[] {
  const member = scenarios.filter((scenario) => scenario.agents.includes(agent.name));
  return [...Object.keys(agent.templateVars), ...member.flatMap((scenario) => Object.keys(scenario.templateVars))];
}

/** The agents that handoffs, scenarios and rules may refer to. */
interface KnownAgents {
  /** Keyed by lower-case name. */
  readonly agents: ReadonlyMap<string, Agent>;
  /**
   * Lower-case names of agents that exist but have errors. Only those errors are reported, not the references to them.
   */
  readonly broken: ReadonlySet<string>;
}

function isKnownAgent(known: KnownAgents, name: string): boolean {
  return known.agents.has(name.toLowerCase()) || known.broken.has(name.toLowerCase());
}
