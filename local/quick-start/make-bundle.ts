/** Makes the bundle of bundle.ts: the way the service is packaged, except that everything that is not code stays where it is. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { demoCatalogDir, demoToolsDir } from "@voice/shared/demo/demo";
import { build } from "esbuild";
import type { Plugin } from "esbuild";
import { buildOptions, pathOf, zodInNames } from "../package/build-options.ts";
import { placesAsData } from "../package/package-functions.ts";
import { demoToolsEntry, packageCatalog } from "../package/packaged-catalog.ts";
import { engines, runtime, speechEngines, speechWorkers, workers } from "../package/speech-parts.ts";
import { currentFile, entryFile, repository, stateOf, type Bundle } from "./bundle.ts";
import { removeUnused } from "./remove-unused.ts";

/** What the sources start by its place, which has to be the bundle's. A thread that is not listed starts from its source. */
const startedByPlace = new Map(
  [...workers, ...speechWorkers, "functions/src/main.ts"].map((file) => [pathOf(file), nameOf(file)]),
);

function nameOf(file: string): string {
  return file.replaceAll("/", "-").replace(/\.ts$/, "");
}

/** These look beside themselves for a catalog that is checked and quickly read. */
const lookBeside = new Set([
  pathOf("shared/src/demo/demo.ts"),
  pathOf("shared/src/catalog/locate-built-in-catalog.ts"),
]);

/** What threads begin with, the main thread too: a file that has its stack traces name the sources, and imports what is named after it. */
const threads = [path.basename(entryFile, ".mjs"), ...[...workers, ...speechWorkers].map(nameOf)];
const bundled = (name: string): string => (threads.includes(name) ? `${name}-bundled` : name);

/** `bundles`: the folder for this bundle and those before. A bundle whose sources changed meanwhile is thrown away. */
export async function makeBundle(bundles: string): Promise<void> {
  const beganAtMs = Date.now();
  const folder = path.join(bundles, `${beganAtMs}-${process.pid}`);
  await mkdir(folder, { recursive: true });
  try {
    const sources = await bundleInto(folder);
    for (const place of sources) if ((await stat(place)).ctimeMs >= beganAtMs) throw new ChangedMeanwhile();
    const bundle: Bundle = { folder, sources: Object.fromEntries(sources.map((place) => [place, stateOf(place)])) };
    const written = path.join(folder, "current.json");
    await writeFile(written, JSON.stringify(bundle));
    await rename(written, currentFile(bundles));
  } catch (error) {
    await rm(folder, { recursive: true });
    if (error instanceof ChangedMeanwhile) return;
    throw error;
  }
  removeUnused(bundles);
}

class ChangedMeanwhile extends Error {}

const refused: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"]);

/** Where nothing may be written there is no bundle, and every start runs the sources. */
export async function unlessRefused(make: () => Promise<void>): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && refused.has(error.code))) throw error;
  }
}

/** Resolves to all that the bundle depends on. */
async function bundleInto(out: string): Promise<readonly string[]> {
  const options = await buildOptions({ out, sourceMaps: true }, [placesAsData, placesOfSources]);
  const { metafile } = await build({
    ...options,
    absWorkingDir: repository,
    sourcesContent: false,
    entryPoints: {
      [bundled(path.basename(entryFile, ".mjs"))]: pathOf("local/start-here.ts"),
      ...Object.fromEntries([...startedByPlace].map(([file, name]) => [bundled(name), file])),
      ...demoToolsEntry,
    },
    external: ["@azure/functions-core", "esbuild", ...Object.keys({ ...engines, ...speechEngines }), runtime],
  });
  // Node has maps of those files alone that a thread loads after it was told to.
  for (const name of threads) {
    const begin = `process.setSourceMapsEnabled(true);\nawait import("./${bundled(name)}.mjs");\n`;
    await writeFile(path.join(out, `${name}.mjs`), begin);
  }
  await packageCatalog(out);
  const code = Object.keys(metafile.inputs).filter(
    (name) => !name.startsWith("left-out:") && !name.startsWith("demo-tools:"),
  );
  const folders = [builtInCatalogDir(), demoCatalogDir, demoToolsDir];
  return [
    ...code.map((name) => path.join(repository, name)),
    ...(await Promise.all(folders.map(everythingIn))).flat(),
    // How packages are found, and how this file makes a bundle.
    ...["node_modules/.package-lock.json", "local/quick-start/make-bundle.ts", "local/package/build-options.ts"].map(
      pathOf,
    ),
    ...["shared", "provider-kit", "local-voice", "streaming-host", "tool-kit", "local"].map((name) =>
      pathOf(`${name}/package.json`),
    ),
  ];
}

async function everythingIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true });
  return [folder, ...entries.map((name) => path.join(folder, name))];
}

/** A file of a bundle is somewhere else, and finds what it looks for by its place all the same. */
const placesOfSources: Plugin = {
  name: "places-of-sources",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      if (file.includes(`${path.sep}node_modules${path.sep}`)) return undefined;
      const text = await readFile(file, "utf8");
      return { contents: withPlaces(zodInNames(text), file), loader: "ts" };
    });
  },
};

function withPlaces(text: string, file: string): string {
  if (!text.includes("import.meta.") || lookBeside.has(file)) return text;
  const places = /new URL\("(\.[^"]+\.ts)", import\.meta\.url\)|\bimport\.meta\.(url|dirname)\b/g;
  return text.replaceAll(places, (whole: string, started: string | undefined, property: string | undefined) => {
    const name = started === undefined ? undefined : startedByPlace.get(path.join(path.dirname(file), started));
    if (name !== undefined) return `new URL("./${name}.mjs", import.meta.url)`;
    if (property === "dirname") return JSON.stringify(path.dirname(file));
    return whole.replace("import.meta.url", () => JSON.stringify(pathToFileURL(file).href));
  });
}
