/** The bundle that `npm start` runs where nothing that it was made from has changed since. Its imports are Node's own: a start waits for this file. */
import { readFileSync, statSync } from "node:fs";
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

/** The file to run; undefined if there is no bundle, or if it is not made from the sources as they are now. */
export function freshBundle(bundles = bundlesFolder): string | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(currentFile(bundles), "utf8"));
    // A repository that was copied has the bundle of the other one.
    if (!isBundle(read) || path.dirname(read.folder) !== bundles) return undefined;
    const { folder, sources } = read;
    for (const [place, state] of Object.entries(sources)) if (stateOf(place) !== state) return undefined;
    const entry = path.join(folder, entryFile);
    statSync(entry);
    return entry;
  } catch (error) {
    // Not there, not to be read by this user, or not whole.
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}

function isBundle(read: unknown): read is Bundle {
  return typeof read === "object" && read !== null && "folder" in read && "sources" in read;
}
