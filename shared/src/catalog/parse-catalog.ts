/** From the text of the files to a checked catalog. Pure; reports all problems at once. */
import type { z } from "zod";
import { parseDocument } from "yaml";
import type { Agent } from "./agent.ts";
import { agentFile, agentNamePattern, agentSettings } from "./agent-file.ts";
import type { Catalog, CatalogDefaults } from "./catalog.ts";
import { agentReferenceProblems, scenarioReferenceProblems } from "./check-references.ts";
import { deepMerge, isPlainObject, type PlainObject } from "./deep-merge.ts";
import { spokenExamples } from "./expand-examples.ts";
import type { KnownTools } from "./known-names.ts";
import { CatalogError, schemaProblems, type CatalogProblem } from "./problems.ts";
import type { CatalogFiles } from "./read-catalog.ts";
import { rulesFile, toAgentRules } from "./rules-file.ts";
import { scenarioFile, toScenario } from "./scenario-file.ts";
import type { Scenario } from "./scenario.ts";

const defaultsPath = "agents/_defaults.yaml";
const sharedRulesPath = "agents/_rules.yaml";
const agentFilePattern = /^agents\/([^/]+)\/(agent\.yaml|prompt\.md|rules\.yaml)$/;
const scenarioFilePattern = /^scenarios\/([^/]+)\.yaml$/;
/** Dialogue tests and notes stand beside what they are about. */
const otherFilePattern = /\.dialogue\.yaml$|README\.md$/;

export function parseCatalog(folders: readonly CatalogFiles[], known: KnownTools): Catalog {
  const problems: CatalogProblem[] = [];
  const defaults = parseDefaults(folders, problems);
  const agents = new Map<string, Agent>();
  const broken = new Set<string>();
  const agentFiles = lastOfEachAgent(folders, problems);
  for (const [name, files] of agentFiles) {
    const agent = parseAgent(name, files, defaults, problems);
    if (agent === undefined) broken.add(name.toLowerCase());
    else agents.set(name.toLowerCase(), agent);
  }
  const scenarios = parseScenarios(folders, agents, problems);
  const names = { agents, broken };
  for (const agent of agents.values()) {
    const ownIntents = intentsIn(agentFiles.get(agent.name)?.get("rules.yaml"));
    const rulesPathOf = (intent: string): string =>
      ownIntents.has(intent) ? `agents/${agent.name}/rules.yaml` : sharedRulesPath;
    problems.push(...agentReferenceProblems(agent, names, [...scenarios.values()], known, rulesPathOf));
  }
  for (const scenario of scenarios.values()) problems.push(...scenarioReferenceProblems(scenario, names));
  if (problems.length > 0) throw new CatalogError(uniqueProblems(problems));
  return { agents, scenarios, defaults };
}

function parseDefaults(folders: readonly CatalogFiles[], problems: CatalogProblem[]): CatalogDefaults {
  const merged = (path: string): PlainObject =>
    folders.reduce<PlainObject>((base, files) => {
      const text = files.get(path);
      return text === undefined ? base : deepMerge(base, parseYaml(path, text, problems) ?? {});
    }, {});
  return { agent: merged(defaultsPath), rules: merged(sharedRulesPath) };
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
      else if (
        path !== defaultsPath &&
        path !== sharedRulesPath &&
        !scenarioFilePattern.test(path) &&
        !otherFilePattern.test(path)
      )
        problems.push({
          file: path,
          key: "",
          message:
            "not a file of the catalog; expected agent.yaml, prompt.md or rules.yaml in agents/<name>/, or scenarios/<name>.yaml",
        });
    }
    for (const [name, files] of here) {
      const replaced = [...agents.keys()].find((other) => other.toLowerCase() === name.toLowerCase());
      if (replaced !== undefined) agents.delete(replaced);
      agents.set(name, files);
    }
  }
  return agents;
}

function parseAgent(
  name: string,
  files: AgentFiles,
  defaults: CatalogDefaults,
  problems: CatalogProblem[],
): Agent | undefined {
  const configPath = `agents/${name}/agent.yaml`;
  const promptPath = `agents/${name}/prompt.md`;
  const before = problems.length;
  if (!agentNamePattern.test(name))
    problems.push({ file: configPath, key: "", message: `the folder's name must match ${agentNamePattern.source}` });
  const prompt = files.get("prompt.md")?.trim();
  if (prompt === undefined || prompt === "")
    problems.push({ file: promptPath, key: "", message: "the prompt is missing" });
  const configText = files.get("agent.yaml");
  if (configText === undefined) problems.push({ file: configPath, key: "", message: "the file is missing" });
  const config = parseMerged(configPath, configText ?? "{}", defaults.agent, agentFile, problems);
  const rulesPath = `agents/${name}/rules.yaml`;
  const rules = parseMerged(rulesPath, files.get("rules.yaml") ?? "{}", defaults.rules, rulesFile, problems);
  if (problems.length > before || prompt === undefined || config === undefined || rules === undefined) return undefined;
  const agentRules = toAgentRules(rules);
  return {
    name,
    prompt,
    promptPath,
    configPath,
    ...agentSettings(config),
    examples: spokenExamples(config.examples, agentRules),
    rules: agentRules,
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
      if (otherFilePattern.test(path)) continue;
      const name = scenarioFilePattern.exec(path)?.[1];
      if (name === undefined) continue;
      const file = parseMerged(path, text, {}, scenarioFile, problems);
      if (file !== undefined) scenarios.set(name.toLowerCase(), toScenario(name, file, spelling));
    }
  }
  return scenarios;
}

function parseMerged<Schema extends z.ZodType>(
  path: string,
  text: string,
  base: PlainObject,
  schema: Schema,
  problems: CatalogProblem[],
): z.infer<Schema> | undefined {
  const own = parseYaml(path, text, problems);
  if (own === undefined) return undefined;
  const parsed = schema.safeParse(deepMerge(base, own));
  if (parsed.success) return parsed.data;
  problems.push(...schemaProblems(path, parsed.error));
  return undefined;
}

function parseYaml(path: string, text: string, problems: CatalogProblem[]): PlainObject | undefined {
  const document = parseDocument(text);
  if (document.errors.length > 0) {
    problems.push(
      ...document.errors.map((error) => ({
        file: path,
        key: error.linePos === undefined ? "" : `line ${error.linePos[0].line}`,
        message: error.message.split("\n")[0]?.replace(/ at line \d+, column \d+:$/, "") ?? error.code,
      })),
    );
    return undefined;
  }
  const value: unknown = document.toJS() ?? {};
  if (isPlainObject(value)) return value;
  problems.push({ file: path, key: "", message: "expected keys and values" });
  return undefined;
}

function intentsIn(rulesText: string | undefined): ReadonlySet<string> {
  const parsed: unknown = rulesText === undefined ? {} : parseDocument(rulesText).toJS();
  return new Set(isPlainObject(parsed) && isPlainObject(parsed["intents"]) ? Object.keys(parsed["intents"]) : []);
}

/** A mistake in a shared file shows once, not once per agent. */
function uniqueProblems(problems: readonly CatalogProblem[]): readonly CatalogProblem[] {
  const seen = new Map(problems.map((problem) => [`${problem.file}\0${problem.key}\0${problem.message}`, problem]));
  return [...seen.values()];
}
