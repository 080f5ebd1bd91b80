/** From the text of the files to a checked catalog. Pure; reports all problems at once. */
import type { z } from "zod";
import { atOnce } from "../platform/steps.ts";
import type { Agent } from "./agent.ts";
import { agentFile, agentNamePattern, agentSettings, allExamples, toolsOf } from "./agent-file.ts";
import type { Catalog, CatalogDefaults } from "./catalog.ts";
import type { CatalogLanguage, CompiledRules } from "./catalog-language.ts";
import { agentReferenceProblems, runtimeVariables, scenarioReferenceProblems } from "./check-references.ts";
import { deepMerge } from "./deep-merge.ts";
import type { PlainObject } from "../platform/plain-object.ts";
import type { KnowledgeSources } from "../knowledge/knowledge-source.ts";
import type { ReadKnowledge } from "../knowledge/read-knowledge.ts";
import { searchKnowledgeName } from "../knowledge/search-knowledge.ts";
import { withCatalogTools, type KnownTools } from "./known-tools.ts";
import { routeProblems, routesFile, routesPath, toRoutes } from "./conversation-routes.ts";
import type { ConversationRoute } from "./conversation-routes.ts";
import { httpToolFilePattern, parseHttpTools } from "./parse-http-tools.ts";
import { parseYaml } from "./parse-yaml.ts";
import { readPromptVersions } from "./prompt-versions.ts";
import { placeProblems } from "./place-problems.ts";
import { CatalogError, schemaProblems, uniqueProblems, type CatalogProblem } from "./problems.ts";
import type { CatalogFiles } from "./read-catalog.ts";
import { renderingProblems } from "./rendering-problems.ts";
import { scenarioFile, toScenario } from "./scenario-file.ts";
import type { Scenario } from "./scenario.ts";
import { Templates } from "./template.ts";

const defaultsPath = "agents/_defaults.yaml";
const commonRulesPath = "agents/_rules.yaml";
const preamblePath = "agents/_preamble.md";
const agentFilePattern = /^agents\/([^/]+)\/(agent\.yaml|prompt(?:\.v(?!0|1\.)\d+)?\.md|rules\.yaml)$/;
const scenarioFilePattern = /^scenarios\/([^/]+)\.yaml$/;
/** Dialogue tests and notes may be in the same folders. */
const otherFilePattern = /\.dialogue\.yaml$|README\.md$/;

export interface CatalogOptions {
  /** Defaults for all agents; `_defaults.yaml` is merged over them. */
  readonly agentDefaults?: PlainObject | undefined;
  readonly language?: CatalogLanguage | undefined;
  readonly knowledge?: ReadKnowledge | undefined;
  /**
   * Whether these files are known to be valid, as a bundle's are. References are then not checked again and rules are
   * compiled on demand, which halves the work of a cold start.
   */
  readonly isChecked?: boolean;
}

export function parseCatalog(
  folders: readonly CatalogFiles[],
  known: KnownTools,
  { agentDefaults = {}, language, knowledge, isChecked = false }: CatalogOptions = {},
): Catalog {
  const problems: CatalogProblem[] = [...(knowledge?.problems ?? [])];
  const sources: KnowledgeSources = knowledge?.sources ?? new Map();
  const defaults = parseDefaults(folders, agentDefaults, problems);
  const parsed: Agent[] = [];
  const broken = new Set<string>();
  for (const [name, files] of lastOfEachAgent(folders, problems)) {
    const agent = parseAgent({ name, files, defaults, language, isChecked }, problems);
    if (agent === undefined) broken.add(name.toLowerCase());
    else parsed.push(agent);
  }
  const agents = new Map(parsed.map((agent) => [agent.name.toLowerCase(), agent]));
  const scenarios = parseScenarios(folders, agents, problems);
  const routes = parseRoutes(folders, problems);
  const templates = new Templates(language?.filters);
  const { tools: httpTools, broken: brokenTools } = parseHttpTools(folders, { known, templates }, problems);
  if (sources.size > 0 && known.tools.has(searchKnowledgeName))
    problems.push({ file: "knowledge", key: "", message: ownSearchTool });
  if (!isChecked) {
    const names = { agents, broken };
    const tools = withCatalogTools(known, { httpTools, knowledge: sources });
    const scope = { agents: names, tools, knowledge: sources, scenarios: [...scenarios.values()], templates };
    for (const agent of parsed) {
      if (agent.tools.some((name) => brokenTools.has(name))) continue;
      const paths = { own: rulesPathOf(agent.name), common: commonRulesPath };
      const inReferences = atOnce(agentReferenceProblems(agent, scope, paths));
      problems.push(...(inReferences.length > 0 ? inReferences : atOnce(renderingProblems(agent, templates))));
    }
    for (const scenario of scenarios.values()) problems.push(...scenarioReferenceProblems(scenario, names));
    problems.push(...routeProblems(routes, scenarios));
    const inPreamble = templates.problem(defaults.preamble, new Set(runtimeVariables));
    if (inPreamble !== undefined) problems.push({ file: preamblePath, key: "", message: inPreamble });
  }
  if (problems.length > 0)
    throw new CatalogError(placeProblems(uniqueProblems(problems), (file) => textIn(folders, file)));
  return { agents, scenarios, routes, httpTools, knowledge: sources, defaults, language, templates };
}

/** A file of a later folder replaces that of an earlier one. */
function textIn(folders: readonly CatalogFiles[], file: string): string | undefined {
  return folders.findLast((files) => files.has(file))?.get(file);
}

function parseDefaults(
  folders: readonly CatalogFiles[],
  agentBase: PlainObject,
  problems: CatalogProblem[],
): CatalogDefaults {
  const merged = (path: string, under: PlainObject): PlainObject =>
    folders.reduce<PlainObject>((base, files) => {
      const text = files.get(path);
      return text === undefined ? base : deepMerge(base, parseYaml(path, text, problems) ?? {});
    }, under);
  const preamble = folders.reduce((text, files) => files.get(preamblePath) ?? text, "").trim();
  return { agent: merged(defaultsPath, agentBase), rules: merged(commonRulesPath, {}), preamble };
}

type AgentFiles = ReadonlyMap<string, string>;

function lastOfEachAgent(
  folders: readonly CatalogFiles[],
  problems: CatalogProblem[],
): ReadonlyMap<string, AgentFiles> {
  const agents = new Map<string, AgentFiles>();
  for (const folder of folders) {
    const here = new Map<string, Map<string, string>>();
    for (const [path, text] of folder) {
      const [, name, file] = agentFilePattern.exec(path) ?? [];
      if (name !== undefined && file !== undefined) here.set(name, (here.get(name) ?? new Map()).set(file, text));
      else if (!isOtherFile(path)) problems.push({ file: path, key: "", message: unexpectedFile });
    }
    reportTwins([...here.keys()], (name) => `agents/${name}`, problems);
    for (const [name, files] of here) {
      const replaced = [...agents.keys()].find((other) => other.toLowerCase() === name.toLowerCase());
      if (replaced !== undefined) agents.delete(replaced);
      agents.set(name, files);
    }
  }
  return agents;
}

/** Some file systems do not distinguish such names, and elsewhere it would depend on their order which one counts. */
function reportTwins(names: readonly string[], pathOf: (name: string) => string, problems: CatalogProblem[]): void {
  const met = new Map<string, string>();
  for (const name of names) {
    const twin = met.get(name.toLowerCase());
    const message = `${twin === undefined ? "" : pathOf(twin)} has the same name, because letter case does not count`;
    if (twin !== undefined) problems.push({ file: pathOf(name), key: "", message });
    met.set(name.toLowerCase(), name);
  }
}

const ownSearchTool = `the folder makes the tool "${searchKnowledgeName}", and TOOLS_DIR has one of that name; rename that one`;

const unexpectedFile =
  "not a file of the catalog; expected agent.yaml, prompt.md (prompt.v2.md, …) or rules.yaml in agents/<name>/, scenarios/<name>.yaml or tools/<name>.yaml";

function isOtherFile(path: string): boolean {
  return (
    path === defaultsPath ||
    path === commonRulesPath ||
    path === preamblePath ||
    path === routesPath ||
    scenarioFilePattern.test(path) ||
    httpToolFilePattern.test(path) ||
    otherFilePattern.test(path)
  );
}

interface AgentSource {
  readonly name: string;
  readonly files: AgentFiles;
  readonly defaults: CatalogDefaults;
  readonly language: CatalogLanguage | undefined;
  readonly isChecked: boolean;
}

function parseAgent(source: AgentSource, problems: CatalogProblem[]): Agent | undefined {
  const { name, files, defaults } = source;
  const configPath = `agents/${name}/agent.yaml`;
  const promptPath = `agents/${name}/prompt.md`;
  const before = problems.length;
  const report = (file: string, message: string): void => void problems.push({ file, key: "", message });
  if (!agentNamePattern.test(name)) report(configPath, `the folder's name must match ${agentNamePattern.source}`);
  const prompt = files.get("prompt.md")?.trim() ?? "";
  if (prompt === "") report(promptPath, files.has("prompt.md") ? "the prompt is empty" : "the prompt is missing");
  if (!files.has("agent.yaml")) report(configPath, "the file is missing");
  const own = parseYaml(configPath, files.get("agent.yaml") ?? "", problems);
  const config = own && validate(agentFile, configPath, deepMerge(defaults.agent, own), problems);
  const otherPrompts = readPromptVersions(`agents/${name}`, files, config?.prompt_shares ?? {}, problems);
  const compileRules = () => parseRules(source, config === undefined ? [] : toolsOf(config), problems);
  const rules = source.isChecked ? undefined : compileRules();
  if (problems.length > before || config === undefined) return undefined;
  const written = {
    config: own ?? {},
    rules: () => parseYaml(rulesPathOf(name), files.get("rules.yaml") ?? "", []) ?? {},
  };
  const agent: Agent = { name, prompt, promptPath, otherPrompts, configPath, ...agentSettings(config, rules), written };
  return source.isChecked ? withRulesOnDemand(agent, compileRules) : agent;
}

function withRulesOnDemand(agent: Agent, compile: () => CompiledRules | undefined): Agent {
  let compiled: Pick<Agent, "rules" | "examples"> | undefined;
  const demanded = () => {
    if (compiled === undefined) {
      const rules = compile();
      compiled = { rules, examples: allExamples(agent.examples, rules) };
    }
    return compiled;
  };
  return {
    ...agent,
    get rules() {
      return demanded().rules;
    },
    get examples() {
      return demanded().examples;
    },
  };
}

function parseRules(
  { name, files, defaults, language }: AgentSource,
  tools: readonly string[],
  problems: CatalogProblem[],
): CompiledRules | undefined {
  const file = rulesPathOf(name);
  const own = parseYaml(file, files.get("rules.yaml") ?? "", problems);
  const compiled = own && language && atOnce(language.compileRules({ own, common: defaults.rules, tools }));
  if (compiled === undefined || "check" in compiled) return compiled;
  problems.push(...compiled.problems.map(({ key, message }) => ({ file, key, message })));
  return undefined;
}

function rulesPathOf(agent: string): string {
  return `agents/${agent}/rules.yaml`;
}

function parseScenarios(
  folders: readonly CatalogFiles[],
  agents: ReadonlyMap<string, Agent>,
  problems: CatalogProblem[],
): ReadonlyMap<string, Scenario> {
  const spelling = (agent: string): string => agents.get(agent.toLowerCase())?.name ?? agent;
  const scenarios = new Map<string, Scenario>();
  for (const folder of folders) {
    const here = [...folder].flatMap(([path, text]) => {
      const name = otherFilePattern.test(path) ? undefined : scenarioFilePattern.exec(path)?.[1];
      return name === undefined ? [] : [{ name, path, text }];
    });
    reportTwins(
      here.map(({ name }) => name),
      (name) => `scenarios/${name}.yaml`,
      problems,
    );
    for (const { name, path, text } of here) {
      const file = parseWith(scenarioFile, path, text, {}, problems);
      if (file !== undefined) scenarios.set(name.toLowerCase(), toScenario(name, file, spelling));
    }
  }
  const [only, ...others] = agents.values();
  return only !== undefined && others.length === 0 && scenarios.size === 0 ? scenarioOfOne(only) : scenarios;
}

/** The table of the last folder that has one: rows of two tables would contradict each other. */
function parseRoutes(folders: readonly CatalogFiles[], problems: CatalogProblem[]): readonly ConversationRoute[] {
  const text = folders.findLast((files) => files.has(routesPath))?.get(routesPath);
  const file = text === undefined ? undefined : parseWith(routesFile, routesPath, text, {}, problems);
  return file === undefined ? [] : toRoutes(file);
}

/** If there is only one agent, no scenario file is needed. */
function scenarioOfOne({ name, description }: Agent): ReadonlyMap<string, Scenario> {
  const file = scenarioFile.parse({ description, agents: [name], start_agent: name });
  return new Map([["default", toScenario("default", file, (agent) => agent)]]);
}

function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  text: string,
  base: PlainObject,
  problems: CatalogProblem[],
): z.infer<Schema> | undefined {
  const own = parseYaml(path, text, problems);
  return own && validate(schema, path, deepMerge(base, own), problems);
}

function validate<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  file: PlainObject,
  problems: CatalogProblem[],
): z.infer<Schema> | undefined {
  const parsed = schema.safeParse(file);
  if (parsed.success) return parsed.data;
  problems.push(...schemaProblems(path, parsed.error, schema));
  return undefined;
}
