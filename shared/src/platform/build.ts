/** Which build this is: what a package has stamped into it in place of this file, and what git says of a checkout. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

let found: Promise<string> | undefined;

/** The commit, or words for why there is none. Never rejects. */
export function commit(): Promise<string> {
  return (found ??= ask());
}

async function ask(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("git", ["rev-parse", "HEAD"], {
      cwd: import.meta.dirname,
      timeout: 2000,
    });
    return stdout.trim();
  } catch {
    // No git, or no repository: an archive of the source was unpacked.
    return "unknown: source without git";
  }
}
