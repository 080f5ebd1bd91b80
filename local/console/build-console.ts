/**
 * The console is built on the first start after its sources changed, so that `npm ci && npm start` needs no build step.
 * In a process of its own: the build takes a second of CPU and 150 MB, and neither belongs beside live audio.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdtemp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";

import { VoiceError } from "@voice/shared/platform/errors";

import { buildElement } from "./build-element.ts";
import { compressFiles } from "./compress-files.ts";

const repository = join(import.meta.dirname, "../..");
const consoleFolder = join(repository, "console");
const builtFolder = join(repository, "out/console");

/** The inputs of the build: a change in any of them requires a new build. */
const sources = [
  join(consoleFolder, "src"),
  join(repository, "client-kit/src"),
  join(consoleFolder, "public"),
  join(consoleFolder, "index.html"),
  join(consoleFolder, "vite.config.ts"),
  join(repository, "shared/src/contracts/stream"),
  join(repository, "shared/src/platform"),
  join(repository, "shared/styles"),
  join(repository, "provider-kit/src/audio"),
  join(repository, "provider-kit/src/end-of-turn"),
  join(repository, "provider-kit/src/ports"),
  join(repository, "streaming-host/src/session/flight"),
  join(repository, "streaming-host/src/session/turn"),
  join(repository, "package-lock.json"),
  join(import.meta.dirname, "build-console.ts"),
  join(import.meta.dirname, "build-element.ts"),
  join(import.meta.dirname, "compress-files.ts"),
];

/** In the built folder: the hash of what it was built from. */
const stamp = "built-from.txt";
const buildTimeoutMs = 60_000;

export interface ConsoleBuild {
  readonly folder: string;
  /** The name of the file in it that is for the builder alone. */
  readonly stamp: string;
  /** False when what was built before still fits. */
  readonly isFresh: boolean;
}

/** Builds if need be. Rejects with a `VoiceError` that says what is wrong with the sources. */
export async function buildConsole(): Promise<ConsoleBuild> {
  const hash = await hashSources();
  if ((await readStamp()) === hash) return { folder: builtFolder, stamp, isFresh: false };
  await mkdir(dirname(builtFolder), { recursive: true });
  // Two starts at once each build a folder of their own; the last one to be renamed stays.
  const temporary = await mkdtemp(`${builtFolder}-`);
  try {
    // For its maker's eyes only until now, and a packaged host runs as somebody else.
    await chmod(temporary, 0o755);
    await runVite(temporary);
    await buildElement(temporary);
    await compressFiles(temporary);
    await writeFile(join(temporary, stamp), hash);
    await rm(builtFolder, { recursive: true, force: true });
    await rename(temporary, builtFolder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
  return { folder: builtFolder, stamp, isFresh: true };
}

async function runVite(outFolder: string): Promise<void> {
  const vite = join(
    dirname(createRequire(join(consoleFolder, "package.json")).resolve("vite/package.json")),
    "bin/vite.js",
  );
  const flags = ["build", consoleFolder, "--outDir", outFolder, "--emptyOutDir", "--logLevel", "error"];
  // Independent of this process's own environment: the page uses the production build of React, which has half the size of the development
  // build.
  const env = { NODE_ENV: "production" };
  try {
    await promisify(execFile)(process.execPath, [vite, ...flags], { cwd: consoleFolder, timeout: buildTimeoutMs, env });
  } catch (cause) {
    const detail = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : "";
    throw new VoiceError("internal_error", `the console could not be built: ${detail}`, { cause });
  }
}

async function readStamp(): Promise<string | undefined> {
  try {
    return await readFile(join(builtFolder, stamp), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function hashSources(): Promise<string> {
  const hash = createHash("sha256");
  for (const path of (await Promise.all(sources.map(listFiles))).flat().toSorted()) {
    if (path.endsWith(".test.ts")) continue;
    hash.update(relative(repository, path)).update("\0");
    hash.update(await readFile(path)).update("\0");
  }
  return hash.digest("hex");
}

/** The file itself, or every file in the folder. */
async function listFiles(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return [path];
    throw error;
  }
}
