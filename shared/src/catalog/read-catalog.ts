/** The catalog's files as text. Reading is apart from parsing so that parsing is pure. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { routesPath } from "./conversation-routes.ts";
import { CatalogError, type CatalogProblem } from "./problems.ts";

/** Text by path relative to the folder, with forward slashes on every system. */
export type CatalogFiles = ReadonlyMap<string, string>;

/** The folder that ships with this package. In a bundle the entry file sets its location. */
export function builtInCatalogDir(): string {
  return fileURLToPath(new URL("../../catalog/", import.meta.url));
}

export async function readCatalogFiles(dir: string): Promise<CatalogFiles> {
  const files = new Map<string, string>();
  const problems: CatalogProblem[] = [];
  for (const folder of ["agents", "scenarios", "tools"]) {
    for (const path of await filesBelow(dir, folder)) {
      const read = await readText(join(dir, path));
      if ("text" in read) files.set(path, read.text);
      else problems.push({ file: path, key: "", message: read.problem });
    }
  }
  const routes = await readText(join(dir, routesPath));
  if ("text" in routes) files.set(routesPath, routes.text);
  else if (!missing.has(routes.problem)) problems.push({ file: routesPath, key: "", message: routes.problem });
  if (problems.length > 0) throw new CatalogError(problems);
  if (files.size === 0)
    throw new CatalogError([
      { file: dir, key: "", message: "no catalog here: expected the folders agents or scenarios" },
    ]);
  return files;
}

const missing: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"].map(cannotBeRead));
const utf8 = new TextDecoder("utf-8", { fatal: true });

async function readText(path: string): Promise<{ readonly text: string } | { readonly problem: string }> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return { problem: cannotBeRead(codeOf(error)) };
  }
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    // If it were read nevertheless, every accented letter would become a character that no voice can speak.
    return { problem: "is not UTF-8; save it in that encoding" };
  }
}

function cannotBeRead(code: string): string {
  return `cannot be read (${code})`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
}

async function filesBelow(dir: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(dir, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return [];
    throw new CatalogError([{ file: join(dir, folder), key: "", message: cannotBeRead(codeOf(error)) }]);
  });
  const paths = await Promise.all(
    entries
      .filter((entry) => !entry.name.startsWith("."))
      .map(async (entry) => {
        const path = `${folder}/${entry.name}`;
        return entry.isDirectory() ? await filesBelow(dir, path) : [path];
      }),
  );
  return paths.flat().toSorted();
}
