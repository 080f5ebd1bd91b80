/** Finds the dialogues of catalog folders and checks them against the catalog; reports all problems at once. */
import { findScenario } from "@voice/shared/catalog/catalog";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { argumentProblem } from "@voice/shared/catalog/argument-problem";
import { isKnownTool } from "@voice/shared/catalog/known-tools";
import type { KnownTool, KnownTools } from "@voice/shared/catalog/known-tools";
import { parseYaml } from "@voice/shared/catalog/parse-yaml";
import { placeProblems } from "@voice/shared/catalog/place-problems";
import { CatalogError, schemaProblems, uniqueProblems } from "@voice/shared/catalog/problems";
import type { CatalogProblem } from "@voice/shared/catalog/problems";
import { readCatalogFiles } from "@voice/shared/catalog/read-catalog";
import type { CatalogFiles } from "@voice/shared/catalog/read-catalog";
import type { Scenario } from "@voice/shared/catalog/scenario";
import { dialogueFile, toDialogues } from "./dialogue-file.ts";
import { customerProblem } from "./dialogue-customers.ts";
import type { DialogueCustomers } from "./dialogue-customers.ts";
import { profileAsAnswer } from "./dialogue-profile.ts";
import { referencesIn } from "./fill-in.ts";
import type { Dialogue, ExpectedTool } from "./dialogue.ts";

const dialoguePattern = /\.dialogue\.yaml$/;

/** Throws a `CatalogError`. */
export async function readDialogues(
  dirs: readonly string[],
  catalog: Catalog,
  known: KnownTools,
  customers: DialogueCustomers["kind"] = "demo",
): Promise<readonly Dialogue[]> {
  const folders = await Promise.all(dirs.map(readCatalogFiles));
  return parseDialogues(folders, catalog, known, customers);
}

export function parseDialogues(
  folders: readonly CatalogFiles[],
  catalog: Catalog,
  known: KnownTools,
  customers: DialogueCustomers["kind"] = "demo",
): readonly Dialogue[] {
  const problems: CatalogProblem[] = [];
  const dialogues = folders.flatMap((files) =>
    [...files].filter(([path]) => dialoguePattern.test(path)).flatMap(([path, text]) => parse(path, text, problems)),
  );
  const seen = new Set<string>();
  const textOf = (path: string) => folders.findLast((files) => files.has(path))?.get(path);
  for (const [index, dialogue] of dialogues.entries()) {
    const { file, name } = dialogue;
    const path = `dialogues.${index - dialogues.findIndex((first) => first.file === file)}`;
    for (const problem of referenceProblems(dialogue, catalog, { known, customers }))
      problems.push({ ...problem, path: problem.key.replace(`${name}: `, () => `${path}.`) });
    if (seen.has(name))
      problems.push({ file, key: name, path: `${path}.name`, message: "another dialogue has this name" });
    seen.add(dialogue.name);
  }
  if (problems.length > 0) throw new CatalogError(placeProblems(uniqueProblems(problems), textOf));
  return dialogues;
}

function parse(path: string, text: string, problems: CatalogProblem[]): readonly Dialogue[] {
  const content = parseYaml(path, text, problems);
  if (content === undefined) return [];
  const parsed = dialogueFile.safeParse(content);
  if (parsed.success) return toDialogues(path, parsed.data);
  problems.push(...schemaProblems(path, parsed.error, dialogueFile));
  return [];
}

function referenceProblems(
  dialogue: Dialogue,
  catalog: Catalog,
  { known, customers }: { readonly known: KnownTools; readonly customers: DialogueCustomers["kind"] },
): readonly CatalogProblem[] {
  const { file, name } = dialogue;
  const scenario = findScenario(catalog, dialogue.scenario);
  if (scenario === undefined) return [{ file, key: "scenario", message: `unknown scenario ${dialogue.scenario}` }];
  const problems: CatalogProblem[] = [];
  const report = (key: string, message: string | undefined): void => {
    if (message !== undefined) problems.push({ file, key: `${name}: ${key}`, message });
  };
  const listed = new Set(scenario.agents.flatMap((agent) => catalog.agents.get(agent.toLowerCase())?.tools ?? []));
  const hasProfile = dialogue.profileSeed !== undefined;
  report(hasProfile ? "profile" : "customer", customerProblem({ customer: dialogue.customer, hasProfile }, customers));
  if (dialogue.agent !== undefined) report("agent", agentProblem(scenario, dialogue.agent));
  for (const [index, { action, expects }] of dialogue.steps.entries()) {
    if (expects.agent !== undefined) report(`steps.${index}.agent`, agentProblem(scenario, expects.agent));
    for (const to of expects.handoffs ?? []) report(`steps.${index}.handoff`, handoffProblem(scenario, to));
    for (const tool of expects.tools ?? []) {
      for (const message of toolProblems(tool, known)) report(`steps.${index}.tool`, message);
      if (known.tools.has(tool.name) && !listed.has(tool.name))
        report(`steps.${index}.tool`, `no agent of the scenario ${scenario.name} lists ${tool.name} among its tools`);
    }
    for (const { tool, field } of referencesIn(action))
      report(`steps.${index}.${action.kind}`, fieldProblem(tool, field, { known, dialogue, customers }));
  }
  return problems;
}

function agentProblem({ name, agents }: Scenario, agent: string): string | undefined {
  const isMember = agents.some((known) => known.toLowerCase() === agent.toLowerCase());
  return isMember ? undefined : `no agent ${agent} in the scenario ${name}`;
}

function handoffProblem(scenario: Scenario, to: string): string | undefined {
  const isOffered = scenario.handoffs.some((edge) => edge.to.toLowerCase() === to.toLowerCase());
  return (
    agentProblem(scenario, to) ??
    (isOffered ? undefined : `nobody hands over to ${to} in the scenario ${scenario.name}`)
  );
}

function toolProblems({ name, args, result }: ExpectedTool, known: KnownTools): readonly string[] {
  if (!isKnownTool(known, name)) return [`unknown tool ${name}`];
  // Only a running tool server can describe the arguments of its tools, and it need not run here.
  const tool = known.tools.get(name);
  if (tool === undefined) return [];
  const ofArguments = Object.entries(args).flatMap(([argument, value]) => {
    if (!(argument in tool.parameters.shape)) return [`${name} has no argument ${argument}`];
    const problem = argumentProblem(tool, argument, value);
    return problem === undefined ? [] : [`args.${argument}: ${problem}`];
  });
  const ofResult = Object.keys(result).flatMap((field) => unknownField(name, field, tool) ?? []);
  return [...ofArguments, ...ofResult];
}

/** What `{tool.field}` in a caller's words refers to. */
function fieldProblem(
  name: string,
  field: string,
  {
    known,
    dialogue,
    customers,
  }: {
    readonly known: KnownTools;
    readonly dialogue: Dialogue;
    readonly customers: DialogueCustomers["kind"];
  },
): string | undefined {
  const profile = profileAsAnswer(dialogue);
  if (name === profile.name && customers === "demo")
    return field in Object(profile.result) ? undefined : `{${name}.${field}}: customers have no ${field}`;
  if (!isKnownTool(known, name)) return `{${name}.${field}}: unknown tool ${name}`;
  const tool = known.tools.get(name);
  return tool && unknownField(name, field, tool);
}

/** Fields that the result of every tool may have. */
const outcomeFields = ["success", "error", "message"];

function unknownField(name: string, field: string, { resultFields }: KnownTool): string | undefined {
  if (resultFields === undefined || [...resultFields, ...outcomeFields].includes(field)) return undefined;
  return `a result of ${name} has no ${field} (it has ${resultFields.join(", ")})`;
}
