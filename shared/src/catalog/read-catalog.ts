/** The catalog's files as text. Reading is apart from parsing so that parsing is pure. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CatalogError } from "./problems.ts";

/** Text by path relative to the folder, with forward slashes on every system. */
export type CatalogFiles = ReadonlyMap<string, string>;

/** The folder that ships with this package. In a bundle the entry file sets its location. */
export function builtInCatalogDir(): string {
  return fileURLToPath(new URL("../../catalog/", import.meta.url));
}

export async function readCatalogFiles(dir: string): Promise<CatalogFiles> {
  const files = new Map<string, string>();
  for (const folder of ["agents", "scenarios", "tools"]) {
    for (const path of await filesBelow(dir, folder)) files.set(path, await readFile(join(dir, path), "utf8"));
  }
  if (files.size === 0)
    throw new CatalogError([
      { file: dir, key: "", message: "no catalog here: expected the folders agents or scenarios" },
    ]);
  return files;
}

async function filesBelow(dir: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(dir, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
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
