import { mkdir, stat } from "node:fs/promises";
import path from "node:path";

/**
 * Creates a folder and its parents. Node's own recursive `mkdir` never returns if an existing parent does not allow new
 * folders, as /proc does, and blocks one of the process's four file threads for ever.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (await isFolder(folder)) return;
    const parent = path.dirname(folder);
    if (codeOf(error) !== "ENOENT" || parent === folder) throw error;
    // If it exists, another process may have created it meanwhile.
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
    return false; // something exists, but it is not a usable folder
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
