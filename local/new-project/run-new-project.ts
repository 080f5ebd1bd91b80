/** What the commands that make a project share: the arguments, what is refused, and what is told in the end. */
import { basename, resolve } from "node:path";
import { hasPack, packOf } from "@voice/shared/languages/packs";
import { z } from "zod";
import { readToolArguments } from "../command-line/tool-arguments.ts";
import type { NewProject } from "./make-project.ts";

const englishParts =
  "The greetings are in your language, and a language model answers in it. rules.yaml and the dialogue are for the model\nof this machine, which knows English only.\n";

const exitUsage = 2;
const nameForm = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

export interface NewProjectCommand {
  /** As it is typed. */
  readonly name: string;
  readonly help: string;
  readonly make: (project: NewProject) => Promise<readonly string[]>;
  /** What to type after it, for the path as it was given. */
  readonly next: (path: string) => string;
}

/** Sets the exit code of the process. */
export async function runNewProject(command: NewProjectCommand): Promise<void> {
  try {
    process.exitCode = await run(command);
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    console.error(isThere ? "This folder exists: choose another name, or delete it first." : String(error));
    process.exitCode = exitUsage;
  }
}

async function run({ name: command, help, make, next }: NewProjectCommand): Promise<number> {
  const { values, positionals } = readToolArguments({
    name: command,
    help,
    options: { language: z.string().default("en-US") },
    allowPositionals: true,
  });
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) {
    console.error(help);
    return exitUsage;
  }
  const { language } = values;
  if (!hasPack(language)) {
    console.error(`There is no language pack for "${language}".\n\n${help}`);
    return exitUsage;
  }
  const folder = resolve(path);
  const name = basename(folder);
  if (!nameForm.test(name)) {
    console.error(`"${name}" is no name for an agent.\n\n${help}`);
    return exitUsage;
  }
  const files = await make({ name, folder, language });
  console.log(`Made ${path}:\n${files.map((file) => `  ${file}`).join("\n")}\n`);
  if (packOf(language).code !== "en") console.log(englishParts);
  console.log(next(path));
  return 0;
}
