/**
 * A folder for what the workers of one run have spoken, so that each line is synthesised once and not once in each of them. It is new for
 * every run, because nothing in it says of which engine it is.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const variable = "TEST_SPOKEN_LINES";

export default function shareSpeech(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "spoken-lines-"));
  process.env[variable] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Undefined outside of Vitest, as in a benchmark. */
export function spokenLinesFolder(): string | undefined {
  return process.env[variable];
}
