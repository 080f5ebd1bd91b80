/**
 * The streaming host, ready for plain Node. The speech engines stay packages of their own, in a small node_modules: they are
 * WebAssembly and models, which find each other by relative paths.
 */
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import type { Plugin } from "esbuild";
import { z } from "zod";
import { oldestNode } from "@voice/shared/config/require-node";
import { buildConsole } from "../console/build-console.ts";
import { buildOptions, describeBundle, pathOf, type PackageOptions } from "./build-options.ts";
import { heapFlags } from "./heap-flags.ts";
import { demoToolsEntry, packageCatalog } from "./packaged-catalog.ts";
import { packageForOwnCode } from "./package-for-own-code.ts";
import { packageOwn } from "./package-own.ts";
import {
  engines,
  models,
  modelsBesideBundle,
  runtime,
  speechEngines,
  speechWorkers,
  workers,
  workersByName,
} from "./speech-parts.ts";
import { writeNotice } from "./write-notice.ts";

export interface HostPackageOptions extends PackageOptions {
  /** Whether to include the engines and models of local speech, which take 70 MB. */
  readonly localSpeech: boolean;
}

const noLocalSpeech: Plugin = {
  name: "no-local-speech",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(local-speech|meanings)\.ts$/ }, () => ({
      path: pathOf("local/package/absent-local-speech.ts"),
    }));
  },
};

/** Resolves to a description of its size. */
export async function packageStreamingHost(options: HostPackageOptions): Promise<string> {
  const { out, localSpeech } = options;
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const packages = localSpeech ? { ...engines, ...speechEngines } : engines;
  const threads = [...workers, ...(localSpeech ? speechWorkers : [])];
  const { metafile } = await build({
    ...(await buildOptions(options, [workersByName, modelsBesideBundle, ...(localSpeech ? [] : [noLocalSpeech])])),
    entryPoints: {
      main: pathOf("streaming-host/src/main.ts"),
      ...Object.fromEntries(threads.map((file) => [path.basename(file, ".ts"), pathOf(file)])),
      ...demoToolsEntry,
    },
    external: [...Object.keys({ ...engines, ...speechEngines }), runtime],
  });
  await packageCatalog(out);
  await packageForOwnCode(out);
  await packageOwn(out);
  await packageConsole(path.join(out, "console"));
  for (const [name, files] of Object.entries(packages))
    await copyPackage(name, files, path.join(out, "node_modules", name));
  const builds = await Promise.all([runtime, ...(localSpeech ? ["koffi"] : [])].map(installedBuilds));
  const runtimePackages = [runtime, ...builds.flat()];
  for (const name of runtimePackages)
    await cp(path.join(pathOf("node_modules"), name), path.join(out, "node_modules", name), { recursive: true });
  await cp(pathOf(`provider-kit/${models}`), path.join(out, models), { recursive: true });
  const manifest = {
    name: "voice-agent-streaming-host",
    private: true,
    type: "module",
    main: "main.mjs",
    engines: { node: `>=${oldestNode}` },
    scripts: { start: `node ${heapFlags.join(" ")} main.mjs` },
  };
  await writeFile(path.join(out, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await writeNotice(out, metafile, [...Object.keys(packages), ...runtimePackages]);
  return describeBundle(metafile, "main.mjs");
}

/** The installed builds of a package that has one for each kind of machine. Machines without a build do without the package. */
async function installedBuilds(name: string): Promise<readonly string[]> {
  const text = await readFile(path.join(pathOf("node_modules"), name, "package.json"), "utf8");
  const { optionalDependencies } = z
    .object({ optionalDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(text));
  return Object.keys(optionalDependencies).filter((build) => existsSync(path.join(pathOf("node_modules"), build)));
}

/** Copies the console as it was built, without the file that records what it was built from. */
async function packageConsole(to: string): Promise<void> {
  const { folder, stamp } = await buildConsole();
  await cp(folder, to, { recursive: true, filter: (file) => path.basename(file) !== stamp });
}

async function copyPackage(name: string, files: readonly string[], to: string): Promise<void> {
  const from = path.join(pathOf("node_modules"), name);
  for (const file of ["package.json", ...files])
    await cp(path.join(from, file), path.join(to, file), { recursive: true });
}
