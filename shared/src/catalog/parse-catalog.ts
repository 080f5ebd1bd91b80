/** From the text of the files to a checked catalog. Pure; reports all problems at once. */
import type { z } from "zod";
import type { Agent } from "./agent.ts";
import { agentFile, agentNamePattern, agentSettings } from "./agent-file.ts";
import type { Catalog, CatalogDefaults } from "./catalog.ts";
import { agentReferenceProblems, scenarioReferenceProblems } from "./check-references.ts";
import { deepMerge, isPlainObject, type PlainObject } from "./deep-merge.ts";
import { spokenExamples } from "./expand-examples.ts";
import type { KnownTools } from "./known-names.ts";
import { parseYaml } from "./parse-yaml.ts";
import { CatalogError, schemaProblems, uniqueProblems, type CatalogProblem } from "./problems.ts";
import type { CatalogFiles } from "./read-catalog.ts";
import { rulesFile, toAgentRules } from "./rules-file.ts";
import { scenarioFile, toScenario } from "./scenario-file.ts";
import type { Scenario } from "./scenario.ts";
import { withoutForeignTools } from "./shared-rules.ts";

const defaultsPath = "agents/_defaults.yaml";
const sharedRulesPath = "agents/_rules.yaml";
const agentFilePattern = /^agents\/([^/]+)\/(agent\.yaml|prompt\.md|rules\.yaml)$/;
const scenarioFilePattern = /^scenarios\/([^/]+)\.yaml$/;
/** Dialogue tests and notes stand beside what they are about. */
const otherFilePattern = /\.dialogue\.yaml$|README\.md$/;

interface ParsedAgent {
  readonly agent: Agent;
  /** The intents that the agent's own file names; the others come from the shared rules. */
  readonly ownIntents: ReadonlySet<string>;
}

export function parseCatalog(
  folders: readonly CatalogFiles[],
  known: KnownTools,
  agentBase: PlainObject = {},
): Catalog {
  const problems: CatalogProblem[] = [];
  const defaults = parseDefaults(folders, agentBase, problems);
  const parsed: ParsedAgent[] = [];
  const broken = new Set<string>();
  for (const [name, files] of lastOfEachAgent(folders, problems)) {
    const result = parseAgent(name, files, defaults, problems);
    if (result === undefined) broken.add(name.toLowerCase());
    else parsed.push(result);
  }
  const agents = new Map(parsed.map(({ agent }) => [agent.name.toLowerCase(), agent]));
  const scenarios = parseScenarios(folders, agents, problems);
  const names = { agents, broken };
  for (const { agent, ownIntents } of parsed) {
    const rulesPathOf = (intent: string): string =>
      ownIntents.has(intent) ? `agents/${agent.name}/rules.yaml` : sharedRulesPath;
    problems.push(...agentReferenceProblems(agent, names, [...scenarios.values()], known, rulesPathOf));
  }
  for (const scenario of scenarios.values()) problems.push(...scenarioReferenceProblems(scenario, names));
  if (problems.length > 0) throw new CatalogError(uniqueProblems(problems));
  return { agents, scenarios, defaults };
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
  return { agent: merged(defaultsPath, agentBase), rules: merged(sharedRulesPath, {}) };
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
    for (const [name, files] of here) {
      const replaced = [...agents.keys()].find((other) => other.toLowerCase() === name.toLowerCase());
      if (replaced !== undefined) agents.delete(replaced);
      agents.set(name, files);
    }
  }
  return agents;
}

const unexpectedFile =
  "not a file of the catalog; expected agent.yaml, prompt.md or rules.yaml in agents/<name>/, or scenarios/<name>.yaml";

function isOtherFile(path: string): boolean {
  return (
    path === defaultsPath || path === sharedRulesPath || scenarioFilePattern.test(path) || otherFilePattern.test(path)
  );
}

function parseAgent(
  name: string,
  files: AgentFiles,
  defaults: CatalogDefaults,
  problems: CatalogProblem[],
): ParsedAgent | undefined {
  const configPath = `agents/${name}/agent.yaml`;
  const promptPath = `agents/${name}/prompt.md`;
  const rulesPath = `agents/${name}/rules.yaml`;
  const before = problems.length;
  const report = (file: string, message: string): void => void problems.push({ file, key: "", message });
  if (!agentNamePattern.test(name)) report(configPath, `the folder's name must match ${agentNamePattern.source}`);
  const prompt = files.get("prompt.md")?.trim() ?? "";
  if (prompt === "") report(promptPath, "the prompt is missing");
  if (!files.has("agent.yaml")) report(configPath, "the file is missing");
  const config = parseWith(agentFile, configPath, files.get("agent.yaml") ?? "", defaults.agent, problems);
  const rules = parseWith(rulesFile, rulesPath, files.get("rules.yaml") ?? "", defaults.rules, problems);
  if (problems.length > before || config === undefined || rules === undefined) return undefined;
  const ownIntents = new Set(isPlainObject(rules.own["intents"]) ? Object.keys(rules.own["intents"]) : []);
  const agentRules = withoutForeignTools(toAgentRules(rules.value), config.value.tools, ownIntents);
  return {
    ownIntents,
    agent: {
      name,
      prompt,
      promptPath,
      configPath,
      ...agentSettings(config.value),
      examples: spokenExamples(config.value.examples, agentRules),
      rules: agentRules,
    },
  };
}

function parseScenarios(
  folders: readonly CatalogFiles[],
  agents: ReadonlyMap<string, Agent>,
  problems: CatalogProblem[],
): ReadonlyMap<string, Scenario> {
  const spelling = (agent: string): string => agents.get(agent.toLowerCase())?.name ?? agent;
  const scenarios = new Map<string, Scenario>();
  for (const folder of folders) {
    for (const [path, text] of folder) {
      const name = otherFilePattern.test(path) ? undefined : scenarioFilePattern.exec(path)?.[1];
      if (name === undefined) continue;
      const file = parseWith(scenarioFile, path, text, {}, problems);
      if (file !== undefined) scenarios.set(name.toLowerCase(), toScenario(name, file.value, spelling));
    }
  }
  return scenarios;
}

function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  text: string,
  base: PlainObject,
  problems: CatalogProblem[],
): { readonly value: z.infer<Schema>; readonly own: PlainObject } | undefined {
  const own = parseYaml(path, text, problems);
  if (own === undefined) return undefined;
  const parsed = schema.safeParse(deepMerge(base, own));
  if (parsed.success) return { value: parsed.data, own };
  problems.push(...schemaProblems(path, parsed.error));
  return undefined;
}
