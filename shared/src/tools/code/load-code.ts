/**
 * Loads a folder of code that defines tools, and possibly customers: every module in it, but not in its subfolders. All
 * problems are reported together, by file, and prevent the start in every environment, because an agent that lacks a
 * tool it was promised would invent results.
 */
import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { DefinedCustomers } from "@voice/tool-kit";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { CustomerSource } from "../customer.ts";
import type { Tool } from "../tool.ts";
import { isMarked, readDefinition, type CodeDefinition } from "./code-definition.ts";
import type { CodeParts } from "./code-parts.ts";
import { createCodeCustomers } from "./code-customers.ts";
import { createCodeTool } from "./code-tool.ts";
import { explainImportFailure } from "./explain-import-failure.ts";
import { offerHostPackages } from "./host-packages.ts";
import { inTime, longestLoadMs } from "./in-time.ts";

export interface OwnCode {
  readonly tools: ReadonlyMap<string, Tool>;
  /** The source of customers that replaces the demonstration's, if a module defines one. */
  readonly customers: CustomerSource | undefined;
}

/**
 * A module's name begins with a letter or digit; tests, declarations and configuration files beside the modules are
 * excluded.
 */
const modulePattern = /^[A-Za-z0-9][^/]*(?<!\.(test|spec|config|d))\.(ts|mts|js|mjs)$/;

export interface LoadCodeOptions extends CodeParts {
  /** The setting that names the folder, for what is said of a problem. */
  readonly setting: string;
  /** The tools that are there already. */
  readonly taken: ReadonlyMap<string, Tool>;
}

/** Throws a `ConfigurationError`. */
export async function loadCode(
  folder: string,
  { setting, taken, logger, clock, words }: LoadCodeOptions,
): Promise<OwnCode> {
  const dir = resolve(folder);
  const files = await modulesIn(dir, setting);
  if (files.length === 0) throw new ConfigurationError([`${setting}: there is no .ts or .js file in ${dir}`]);
  offerHostPackages();
  const problems: string[] = [];
  const tools = new Map<string, { readonly tool: Tool; readonly file: string }>();
  let customers: { readonly definition: DefinedCustomers; readonly file: string } | undefined;
  for (const file of files) {
    const report = (problem: string): void => void problems.push(`${setting}: ${file}: ${problem}`);
    for (const definition of await definitionsOf(dir, file, report)) {
      if (definition.kind === "customers") {
        if (customers !== undefined) report(`${customers.file} defines the customers already; keep one of them`);
        customers = { definition, file };
        continue;
      }
      const { name } = definition;
      const namesake = tools.get(name);
      if (taken.has(name)) report(`"${name}" is the name of a tool that is there already; choose another one`);
      if (namesake !== undefined) report(`${namesake.file} defines a tool "${name}" already; choose another name`);
      tools.set(name, { tool: createCodeTool(definition, logger, words), file });
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return {
    tools: new Map([...tools].map(([name, { tool }]) => [name, tool])),
    customers: customers && createCodeCustomers(customers.definition, { clock, logger, words }),
  };
}

async function modulesIn(dir: string, setting: string): Promise<string[]> {
  try {
    const entries = await readdir(dir, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && modulePattern.test(entry.name))
      .map(({ name }) => name)
      .toSorted();
  } catch (error) {
    throw new ConfigurationError([
      `${setting}: ${dir} cannot be read (${error instanceof Error && "code" in error ? String(error.code) : "unknown reason"})`,
    ]);
  }
}

async function definitionsOf(
  dir: string,
  file: string,
  report: (problem: string) => void,
): Promise<readonly CodeDefinition[]> {
  const module = resolve(dir, file);
  let exported: readonly unknown[];
  try {
    exported = Object.values(await inTime(() => importModule(module), longestLoadMs, "loading"));
  } catch (error) {
    report(explainImportFailure(error, module));
    return [];
  }
  const meant = [...new Set(exported)].filter(isMarked);
  if (meant.length === 0)
    report("exports no tool; export what defineTool (or defineCustomers) gives, or move helpers into a folder below");
  return meant.flatMap((value) => {
    const read = readDefinition(value);
    if ("definition" in read) return [read.definition];
    for (const problem of read.problems) report(problem);
    return [];
  });
}

function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  return import(pathToFileURL(file).href);
}
