/** Parses and checks the files of `tools/`, including the variables that their templates use. */
import { httpToolFile, toHttpTool } from "./http-tool-file.ts";
import { httpToolVariables, type HttpTool } from "./http-tool.ts";
import type { KnownTools } from "./known-tools.ts";
import { parseYaml } from "./parse-yaml.ts";
import { schemaProblems, type CatalogProblem } from "./problems.ts";
import type { CatalogFiles } from "./read-catalog.ts";
import type { Templates } from "./template.ts";

export const httpToolFilePattern = /^tools\/([^/]+)\.yaml$/;
/** Handoff tools are derived from a scenario's edges and have names of this form. */
const toolNamePattern = /^(?!handoff_)[a-z][a-z0-9_]{0,63}$/;

export interface HttpToolScope {
  /** Tool names that are already taken. */
  readonly known: KnownTools;
  readonly templates: Templates;
}

export interface ParsedHttpTools {
  /** Keyed by name. Tools of a later folder replace those of the same name. */
  readonly tools: ReadonlyMap<string, HttpTool>;
  /** Tools whose files have mistakes. An agent that lists one is not reported as well. */
  readonly broken: ReadonlySet<string>;
}

export function parseHttpTools(
  folders: readonly CatalogFiles[],
  { known, templates }: HttpToolScope,
  problems: CatalogProblem[],
): ParsedHttpTools {
  const tools = new Map<string, HttpTool>();
  const broken = new Set<string>();
  for (const folder of folders) {
    for (const [path, text] of folder) {
      const name = httpToolFilePattern.exec(path)?.[1];
      if (name === undefined) continue;
      const report = (key: string, message: string): void => void problems.push({ file: path, key, message });
      if (!toolNamePattern.test(name)) report("", `the file's name must match ${toolNamePattern.source}`);
      if (known.tools.has(name))
        report("", `"${name}" is the name of another tool, built in or of TOOLS_DIR; choose another one`);
      const tool = parseHttpTool(name, path, text, problems);
      if (tool === undefined) {
        broken.add(name);
        continue;
      }
      for (const { key, message } of templateProblems(tool, templates)) report(key, message);
      tools.set(name, tool);
    }
  }
  return { tools, broken };
}

function parseHttpTool(name: string, path: string, text: string, problems: CatalogProblem[]): HttpTool | undefined {
  const own = parseYaml(path, text, problems);
  if (own === undefined) return undefined;
  const parsed = httpToolFile.safeParse(own);
  if (parsed.success) return toHttpTool(name, parsed.data);
  problems.push(...schemaProblems(path, parsed.error, httpToolFile));
  return undefined;
}

function templateProblems({ request, parameters }: HttpTool, templates: Templates): { key: string; message: string }[] {
  const { url, query, headers, body } = request;
  const args = new Set(Object.keys(parameters.shape));
  const check = (texts: unknown, variables: readonly string[]): { key: string; message: string }[] =>
    textsIn(texts, "request").flatMap(({ key, text }) => {
      const message = templates.problem(text, new Set(variables), { args });
      return message === undefined ? [] : [{ key, message }];
    });
  return [...check({ url, query, body }, httpToolVariables), ...check({ headers }, [...httpToolVariables, "secrets"])];
}

function textsIn(value: unknown, key: string): { readonly key: string; readonly text: string }[] {
  if (typeof value === "string") return [{ key, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => textsIn(part, `${key}.${name}`));
}
