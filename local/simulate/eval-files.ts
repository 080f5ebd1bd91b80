/** Reads who calls (`personas/*.yaml`) and what they want and how they are judged (`scenarios/*.yaml`). */
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseYaml } from "@voice/shared/catalog/parse-yaml";
import { placeProblems } from "@voice/shared/catalog/place-problems";
import { CatalogError, schemaProblems } from "@voice/shared/catalog/problems";
import type { CatalogProblem } from "@voice/shared/catalog/problems";
import { z } from "zod";

const words = z.string().trim().min(1);

const personaSchema = z.strictObject({
  description: words,
  /** How they speak and behave, said to the model that plays them. */
  caller: words,
});

const checksSchema = z.strictObject({
  /** Tools that must have been called and have succeeded, in any order. */
  tools: z.array(words).default([]),
  tools_not_succeeded: z.array(words).default([]),
  /** Agents that must have had the floor. */
  agents: z.array(words).default([]),
  /** Each must be among the agents' words. */
  answers_contain: z.array(words).default([]),
  answers_lack: z.array(words).default([]),
});

const goalSchema = z.strictObject({
  name: words,
  /** What they want, said to the model that plays them. */
  caller: words,
  /** What they say first. */
  opening: words,
  /** Whether they know the name and codes of the demonstration's customer; if not set, they do where there is one. */
  knows_customer: z.boolean().optional(),
  /** The id of a customer of TOOLS_DIR, for whom the tools act. */
  customer: words.optional(),
  checks: checksSchema.prefault({}),
});

const scenarioEvalSchema = z.strictObject({
  scenario: words,
  goals: z.array(goalSchema).min(1),
  /** The judge's questions, keyed by the name of the criterion. */
  rubric: z.record(z.string().regex(/^[a-z][a-z_]{0,39}$/, "expected small letters"), words),
});

export type Checks = z.infer<typeof checksSchema>;
export type Goal = z.infer<typeof goalSchema>;
/** With the file that it was read from, for mistakes that only the catalog shows. */
export type ScenarioEval = z.infer<typeof scenarioEvalSchema> & { readonly file: string; readonly text: string };
export type Persona = z.infer<typeof personaSchema> & { readonly name: string };

export interface EvalFiles {
  readonly personas: ReadonlyMap<string, Persona>;
  readonly scenarios: ReadonlyMap<string, ScenarioEval>;
}

export interface EvalFolder {
  readonly folder: string;
  /** Anybody may call any agent; what they want is for the scenarios that they were written for. */
  readonly hasGoals: boolean;
}

/** Files of later folders replace those of earlier ones. Rejects with a `CatalogError` that names every file and key. */
export async function readEvalFiles(folders: readonly EvalFolder[]): Promise<EvalFiles> {
  const problems: CatalogProblem[] = [];
  const personas = new Map<string, Persona>();
  const scenarios = new Map<string, ScenarioEval>();
  for (const { folder, hasGoals } of folders) {
    for (const { file, name, text } of await yamlFiles(join(folder, "personas"))) {
      const persona = parse(file, text, personaSchema, problems);
      if (persona !== undefined) personas.set(name, { ...persona, name });
    }
    for (const { file, text } of hasGoals ? await yamlFiles(join(folder, "scenarios")) : []) {
      const scenario = parse(file, text, scenarioEvalSchema, problems);
      if (scenario !== undefined) scenarios.set(scenario.scenario, { ...scenario, file, text });
    }
  }
  if (problems.length > 0) throw new CatalogError(problems);
  return { personas, scenarios };
}

function parse<T>(file: string, text: string, schema: z.ZodType<T>, problems: CatalogProblem[]): T | undefined {
  const raw = parseYaml(file, text, problems);
  if (raw === undefined) return undefined;
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  problems.push(...placeProblems(schemaProblems(file, parsed.error, schema), () => text));
  return undefined;
}

async function yamlFiles(folder: string) {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".yaml")).toSorted();
  return Promise.all(
    files.map(async (name) => ({
      file: join(basename(folder), name),
      name: basename(name, ".yaml"),
      text: await readFile(join(folder, name), "utf8"),
    })),
  );
}
