/** The bundle that `npm start` runs where nothing that it was made from has changed since. Its imports are Node's own: a start waits for this file. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

export const repository = path.join(import.meta.dirname, "../..");
export const bundlesFolder = path.join(repository, "node_modules/.cache/start");

/** What `current.json` in the folder of bundles says. All paths are absolute. */
export interface Bundle {
  /** The folder of its files, beside `current.json`. */
  readonly folder: string;
  /** The state of every file and folder that it was made from. */
  readonly sources: Readonly<Record<string, string>>;
}

export const currentFile = (bundles: string): string => path.join(bundles, "current.json");
export const entryFile = "start-here.mjs";

/** Of a file or a folder: another one after every change of a file, and whenever one comes into a folder or leaves it. Throws if there is none. */
export function stateOf(place: string): string {
  const { size, mtimeMs } = statSync(place);
  return `${size} ${mtimeMs}`;
}

/** A process that may load files of a bundle has an empty file in its folder, named by this and its id. */
export const usedBy = "used-by-";

/**
 * The file to run, of a bundle that is kept from now on until this process has ended. Undefined if there is none, if it is not made from the sources
 * as they are now, or if nothing may be written into it.
 */
export function takeFreshBundle(bundles = bundlesFolder): string | undefined {
  try {
    const before = stateOf(currentFile(bundles));
    const bundle = readCurrent(bundles);
    // A repository that was copied has the bundle of the other one.
    if (bundle === undefined || path.dirname(bundle.folder) !== bundles) return undefined;
    const { folder, sources } = bundle;
    writeFileSync(path.join(folder, `${usedBy}${process.pid}`), "");
    // Before it looks who uses this one, whoever removes it has seen that it is not the current one any more.
    if (stateOf(currentFile(bundles)) !== before) return undefined;
    for (const [place, state] of Object.entries(sources)) if (stateOf(place) !== state) return undefined;
    const entry = path.join(folder, entryFile);
    statSync(entry);
    return entry;
  } catch (error) {
    // Not there, not for this user to read or to write, or not whole.
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}

/** Throws if there is none; undefined if it is something else. */
export function readCurrent(bundles: string): Bundle | undefined {
  const read: unknown = JSON.parse(readFileSync(currentFile(bundles), "utf8"));
  return isBundle(read) ? read : undefined;
}

function isBundle(read: unknown): read is Bundle {
  return typeof read === "object" && read !== null && "folder" in read && "sources" in read;
}
