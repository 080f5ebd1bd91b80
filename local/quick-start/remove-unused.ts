/** Removes the bundles that nobody needs any more. A service that runs loads from its own what it first needs, be it after days. */
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { readCurrent, usedBy } from "./bundle.ts";

/** Keeps the current one, those of processes that run, and those that are being made. Throws if there is no current one. */
export function removeUnused(bundles: string): void {
  const entries = readdirSync(bundles, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  // In this order: one whose maker has ended either is the current one by now, or never will be; and one that is not current gets no new users.
  const made = entries.map(({ name }) => path.join(bundles, name)).filter((folder) => !isBeingMade(folder));
  const current = readCurrent(bundles)?.folder;
  for (const folder of made)
    if (folder !== current && !isUsed(folder)) rmSync(folder, { recursive: true, force: true });
}

/** Its name ends with the id of the process that makes it (make-bundle.ts). */
function isBeingMade(folder: string): boolean {
  const maker = Number(path.basename(folder).split("-").at(-1));
  return maker !== process.pid && isRunning(maker);
}

function isUsed(folder: string): boolean {
  return readdirSync(folder).some((name) => name.startsWith(usedBy) && isRunning(Number(name.slice(usedBy.length))));
}

function isRunning(id: number): boolean {
  if (!Number.isInteger(id)) return false;
  try {
    process.kill(id, 0); // sends nothing
    return true;
  } catch (error) {
    // It belongs to somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
