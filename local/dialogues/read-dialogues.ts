/** Finds the dialogues of catalog folders and checks them against the catalog; reports all problems at once. */
import { findScenario } from "@voice/shared/catalog/catalog";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { isKnownTool } from "@voice/shared/catalog/known-tools";
import type { KnownTools } from "@voice/shared/catalog/known-tools";
import { parseYaml } from "@voice/shared/catalog/parse-yaml";
import { CatalogError, schemaProblems } from "@voice/shared/catalog/problems";
import type { CatalogProblem } from "@voice/shared/catalog/problems";
import { readCatalogFiles } from "@voice/shared/catalog/read-catalog";
import type { CatalogFiles } from "@voice/shared/catalog/read-catalog";
import { dialogueFile, toDialogues } from "./dialogue-file.ts";
import type { Dialogue, ExpectedTool } from "./dialogue.ts";

const dialoguePattern = /\.dialogue\.yaml$/;

/** Throws a `CatalogError`. */
export async function readDialogues(
  dirs: readonly string[],
  catalog: Catalog,
  known: KnownTools,
): Promise<readonly Dialogue[]> {
  const folders = await Promise.all(dirs.map(readCatalogFiles));
  return parseDialogues(folders, catalog, known);
}

export function parseDialogues(
  folders: readonly CatalogFiles[],
  catalog: Catalog,
  known: KnownTools,
): readonly Dialogue[] {
  const problems: CatalogProblem[] = [];
  const dialogues = folders.flatMap((files) =>
    [...files].filter(([path]) => dialoguePattern.test(path)).flatMap(([path, text]) => parse(path, text, problems)),
  );
  const seen = new Set<string>();
  for (const dialogue of dialogues) {
    problems.push(...referenceProblems(dialogue, catalog, known));
    if (seen.has(dialogue.name))
      problems.push({ file: dialogue.file, key: dialogue.name, message: "another dialogue has this name" });
    seen.add(dialogue.name);
  }
  if (problems.length > 0) throw new CatalogError(problems);
  return dialogues;
}

function parse(path: string, text: string, problems: CatalogProblem[]): readonly Dialogue[] {
  const content = parseYaml(path, text, problems);
  if (content === undefined) return [];
  const parsed = dialogueFile.safeParse(content);
  if (parsed.success) return toDialogues(path, parsed.data);
  problems.push(...schemaProblems(path, parsed.error));
  return [];
}

function referenceProblems(dialogue: Dialogue, catalog: Catalog, known: KnownTools): readonly CatalogProblem[] {
  const { file, name } = dialogue;
  const scenario = findScenario(catalog, dialogue.scenario);
  if (scenario === undefined) return [{ file, key: "scenario", message: `unknown scenario ${dialogue.scenario}` }];
  const problems: CatalogProblem[] = [];
  const checkAgent = (key: string, agent: string): void => {
    if (!scenario.agents.some((known) => known.toLowerCase() === agent.toLowerCase()))
      problems.push({ file, key: `${name}: ${key}`, message: `no agent ${agent} in the scenario ${scenario.name}` });
  };
  if (dialogue.agent !== undefined) checkAgent("agent", dialogue.agent);
  for (const [index, { expects }] of dialogue.steps.entries()) {
    if (expects.agent !== undefined) checkAgent(`steps.${index}.agent`, expects.agent);
    for (const to of expects.handoffs ?? []) checkAgent(`steps.${index}.handoff`, to);
    const key = `${name}: steps.${index}.tool`;
    for (const tool of expects.tools ?? [])
      problems.push(...toolProblems(tool, known).map((message) => ({ file, key, message })));
  }
  return problems;
}

function toolProblems({ name, args }: ExpectedTool, known: KnownTools): readonly string[] {
  if (!isKnownTool(known, name)) return [`unknown tool ${name}`];
  // Only a running tool server can say what arguments its tools take, and it need not run here.
  const shape = known.tools.get(name)?.parameters.shape;
  if (shape === undefined) return [];
  return Object.keys(args).flatMap((argument) => (argument in shape ? [] : [`${name} has no argument ${argument}`]));
}
