/**
 * What is deployed, made once for all tests of this folder: what they kill is what a platform runs. A packaged host starts with two thirds of
 * the processor time that the sources take, and each of these fleets starts a dozen.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { placePackages, type Packages } from "../support/made-packages.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly packages: Packages;
  }
}

export default function makePackages(project: TestProject): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), "packages-"));
  project.provide("packages", placePackages(folder));
  return () => rmSync(folder, { recursive: true, force: true });
}
