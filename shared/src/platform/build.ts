/** Identifies the build. A package replaces this file with its stamped commit; a checkout asks git. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

let found: Promise<string> | undefined;

/** The commit, or a phrase that says why it is unknown. Never rejects. */
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
