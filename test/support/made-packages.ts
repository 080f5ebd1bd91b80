/**
 * What is deployed, made of this tree: once for all tests, and again when anything has changed that it is made of. A build takes five
 * seconds of the processor.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { pathOf } from "@voice/local/package/build-options";

/** The commit that these packages say they were made from. */
export const packagedCommit = "0123abc0123abc0123abc0123abc0123abc01234";

/** Beside what Node has compiled; `npm ci` removes both. */
const cache = pathOf("node_modules/.cache/packages");

/** All that the packages are made of. `own` is a deployer's, and need not be there. */
const sources = [
  "shared",
  "provider-kit",
  "tool-kit",
  "local-voice",
  "streaming-host",
  "functions",
  "client-kit",
  "console",
  "demo",
  "local",
  "own",
  "CHANGELOG.md",
  "host.json",
  "package.json",
  "package-lock.json",
];
/** What `npm` installs for itself below a source: it is in no package. */
const notRead = new Set(["node_modules", "installed"]);

type Package = "functions" | "streaming-host" | "service";

/** The entry files of what is deployed. */
export interface Packages {
  readonly functions: string;
  readonly host: string;
}

export function placePackages(folder: string): Packages {
  return {
    functions: path.join(placePackage("functions", folder), "main.mjs"),
    host: path.join(placePackage("streaming-host", folder), "main.mjs"),
  };
}

/** Copies a package into a folder outside the tree, where none of its imports can find what it has not brought along. */
export function placePackage(name: Package, folder: string, ...flags: readonly string[]): string {
  const made = path.join(cache, `${hashOfSources()}${flags.join("")}`, name);
  if (!existsSync(made)) makePackage(name, path.dirname(made), flags);
  const placed = path.join(folder, name);
  cpSync(made, placed, { recursive: true });
  return placed;
}

function makePackage(name: Package, variant: string, flags: readonly string[]): void {
  mkdirSync(variant, { recursive: true });
  forgetOthersThan(path.basename(variant));
  // Two tests at once each make one; the first to be there stays.
  const making = mkdtempSync(path.join(variant, "making-"));
  try {
    const script = pathOf("local/package/package-cli.ts");
    const env = { ...process.env, COMMIT: packagedCommit };
    execFileSync(process.execPath, [script, name, "--out", making, ...flags], { env });
    moveUnlessThere(path.join(making, name), path.join(variant, name));
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // A folder that has something in it is not replaced.
    if (!existsSync(to)) throw error;
  }
}

/** Those of an older state of the sources. A run that began before the change may still read one of the last hour. */
function forgetOthersThan(current: string): void {
  const [hash = ""] = current.split("--");
  for (const name of readdirSync(cache)) {
    const folder = path.join(cache, name);
    if (!name.startsWith(hash) && Date.now() - statSync(folder).mtimeMs > 3_600_000)
      rmSync(folder, { recursive: true, force: true });
  }
}

let hash: string | undefined;

function hashOfSources(): string {
  return (hash ??= sources
    .reduce((sum, name) => (existsSync(pathOf(name)) ? addTo(sum, pathOf(name)) : sum), createHash("sha256"))
    .update(process.version)
    .digest("hex")
    .slice(0, 16));
}

function addTo(sum: ReturnType<typeof createHash>, source: string): ReturnType<typeof createHash> {
  if (!statSync(source).isDirectory()) return sum.update(`${source}\n`).update(readFileSync(source));
  for (const name of readdirSync(source).toSorted())
    if (!notRead.has(name) && !name.endsWith(".test.ts") && !name.endsWith(".tsbuildinfo"))
      addTo(sum, path.join(source, name));
  return sum;
}
