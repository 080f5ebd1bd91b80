/**
 * What is deployed, made once for all tests of this folder: what they kill is what a platform runs. A packaged host starts with two thirds of
 * the processor time that the sources take, and each of these fleets starts a dozen.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";

/** The entry files of both packages. */
export interface Packages {
  readonly functions: string;
  readonly host: string;
}

declare module "vitest" {
  interface ProvidedContext {
    readonly packages: Packages;
  }
}

/** Of the commit that the packages say they were made from. */
export const packagedCommit = "0123abc";

export default function makePackages(project: TestProject): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), "packages-"));
  const script = path.join(import.meta.dirname, "../../local/package/package-cli.ts");
  execFileSync(process.execPath, [script, "--out", folder], { env: { ...process.env, COMMIT: packagedCommit } });
  project.provide("packages", {
    functions: path.join(folder, "functions/main.mjs"),
    host: path.join(folder, "streaming-host/main.mjs"),
  });
  return () => rmSync(folder, { recursive: true, force: true });
}
