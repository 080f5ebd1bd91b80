/** Creates a project folder: two agents, a tool with a stand-in service, a scenario and a dialogue. */
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { localeOf } from "@voice/shared/languages/locale-of";
import { primaryLanguage } from "@voice/shared/languages/packs";
import { projectScripts, servicePackage } from "../package/service-manifest.ts";
import { writeSchemas } from "../schemas/write-schemas.ts";
import { greetings } from "./greetings.ts";

/** A complete catalog, whose placeholders are replaced by the project's names. */
const template = fileURLToPath(new URL("template", import.meta.url));

/** What surrounds the catalog in a project outside of this repository. npm packs no file called .gitignore. */
const packageTemplate = fileURLToPath(new URL("package-template", import.meta.url));

const standInNote = "# Needs what tools/order_status.yaml asks: node service/orders.mjs\n";

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
  const values = { ...valuesOf({ name, language }), "path/to/project": relative(process.cwd(), folder) };
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder);
  const made = await fillFolder(template, folder, values);
  return [...made, ...(await writeSchemas(folder))];
}

export interface NewPackage extends NewProject {
  /** What package.json depends on: a version, or where the package of the service is. */
  readonly service: string;
}

/** A project outside of this repository: the catalog as above, its tool in code, and the service as what it depends on. */
export async function makePackage(options: NewPackage): Promise<readonly string[]> {
  const { name, folder, language = templateLanguage, service } = options;
  const values = { ...valuesOf({ name, language }), [standInNote]: "" };
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder);
  const isOfCatalog = (file: string): boolean => /^(?:agents|scenarios)[\\/]/.test(file);
  const catalog = await fillFolder(template, join(folder, "catalog"), values, isOfCatalog);
  const made = await fillFolder(packageTemplate, folder, values);
  const manifest = {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    scripts: projectScripts,
    // For development: what is deployed brings the service along by itself, and what tools need stands under `dependencies`.
    devDependencies: { [servicePackage]: service, zod: "^4.0.0" },
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const schemas = await writeSchemas(join(folder, "catalog"), ["order_status"]);
  return ["package.json", ...made, ...[...catalog, ...schemas].map((file) => join("catalog", file))];
}

/** The placeholders of both templates. */
function valuesOf({ name, language = templateLanguage }: Omit<NewProject, "folder">): Readonly<Record<string, string>> {
  return {
    ...greetingsIn(language),
    [`language: ${templateLanguage}`]: `language: ${localeOf(language)}`,
    "project-name": name,
    "Project Title": titleOf(name),
  };
}

/** Resolves with the files it made, relative to the folder. */
async function fillFolder(
  from: string,
  folder: string,
  values: Readonly<Record<string, string>>,
  isIncluded: (file: string) => boolean = () => true,
): Promise<readonly string[]> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(from, join(entry.parentPath, entry.name)));
  return Promise.all(
    files.filter(isIncluded).map(async (file) => {
      const path = filledIn(file, values).replace(/^gitignore$/, ".gitignore");
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), filledIn(await readFile(join(from, file), "utf8"), values));
      return path;
    }),
  );
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
