/** Creates a project folder: two agents, a tool with a stand-in service, a scenario and a dialogue. */
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { localeOf } from "@voice/shared/languages/locale-of";
import { primaryLanguage } from "@voice/shared/languages/packs";
import { writeSchemas } from "../schemas/write-schemas.ts";
import { greetings } from "./greetings.ts";

/** A complete catalog, whose placeholders are replaced by the project's names. */
const template = fileURLToPath(new URL("template", import.meta.url));

const templateLanguage = "en-US";

export interface NewProject {
  /** Named like agents and scenarios: lower-case letters, digits and hyphens. */
  readonly name: string;
  readonly folder: string;
  /** The language that the agents hear and speak, which must have a pack. `en-US` where absent. */
  readonly language?: string | undefined;
}

/** Resolves with the files it made, relative to the folder. Rejects where the folder exists. */
export async function makeProject({
  name,
  folder,
  language = templateLanguage,
}: NewProject): Promise<readonly string[]> {
  const values = {
    ...greetingsIn(language),
    [`language: ${templateLanguage}`]: `language: ${localeOf(language)}`,
    "project-name": name,
    "Project Title": titleOf(name),
    "path/to/project": relative(process.cwd(), folder),
  };
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder);
  const entries = await readdir(template, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const made = await Promise.all(
    files.map(async (file) => {
      const path = filledIn(relative(template, file), values);
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), filledIn(await readFile(file, "utf8"), values));
      return path;
    }),
  );
  return [...made, ...(await writeSchemas(folder))];
}

/** The template's greetings and their replacements. */
function greetingsIn(language: string): Readonly<Record<string, string>> {
  const { en } = greetings;
  const own = greetings[primaryLanguage(language)] ?? en;
  return {
    [en.desk]: own.desk,
    [en.deskAgain]: own.deskAgain,
    [en.orders]: own.orders,
    [en.ordersAgain]: own.ordersAgain,
    [en.opening]: own.opening,
  };
}

/** "pizza-desk" is spoken as "Pizza Desk". */
function titleOf(name: string): string {
  return name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

function filledIn(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((filled, [placeholder, value]) => filled.replaceAll(placeholder, value), text);
}
