import { mkdir, stat } from "node:fs/promises";
import path from "node:path";

/**
 * Makes a folder and those above it. Node's own recursive `mkdir` never returns where a folder cannot be made in one that
 * exists, such as /proc, and keeps one of the process's four file threads busy for ever.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeOne(folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if (codeOf(error) !== "ENOENT" || parent === folder) throw error;
    if (!(await isFolder(parent))) await makeFolder(parent);
    // Where the parent is there, somebody else may have made it just now. In a folder such as /proc this fails again.
    await makeOne(folder);
  }
}

/** In a folder that is there; it may be there itself. */
async function makeOne(folder: string): Promise<void> {
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
