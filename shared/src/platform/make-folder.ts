import { mkdir, stat } from "node:fs/promises";
import path from "node:path";

/**
 * Makes a folder and those above it. Node's own recursive `mkdir` never returns where a folder cannot be made in one that
 * exists, such as /proc, and keeps one of the process's four file threads busy for ever.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (await isFolder(folder)) return;
    const parent = path.dirname(folder);
    if (codeOf(error) !== "ENOENT" || parent === folder) throw error;
    // Where it is there, somebody else may have made it meanwhile.
    if (!(await isFolder(parent))) await makeFolder(parent);
    await makeInFolder(folder);
  }
}

async function makeInFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (!(await isFolder(folder))) throw error;
  }
}

async function isFolder(name: string): Promise<boolean> {
  try {
    return (await stat(name)).isDirectory();
  } catch {
    return false; // whatever is there, it is no folder that we could use
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
