/** How both packages are bundled. What is imported with import() becomes a file of its own, which is read only when it is needed. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions, Metafile, Plugin } from "esbuild";
import { commit } from "@voice/shared/platform/build";
import { demoTools } from "./packaged-catalog.ts";

const root = new URL("../../", import.meta.url);

/** The path of a file or folder of the repository. */
export const pathOf = (name: string): string => fileURLToPath(new URL(name, root));

export interface PackageOptions {
  /** The output folder; its previous contents are removed. */
  readonly out: string;
  readonly sourceMaps: boolean;
}

/** zod brings its messages in 49 languages, 260 KB that every start would read; ours are English. */
export const englishOnly: Plugin = {
  name: "english-only",
  setup({ onResolve }) {
    onResolve({ filter: /\/locales\/index\.js$/ }, ({ resolveDir, path: name }) => {
      const locales = path.resolve(resolveDir, path.dirname(name));
      return locales.includes(`${path.sep}zod${path.sep}`) ? { path: path.join(locales, "en.js") } : undefined;
    });
  },
};

/**
 * `z` is one object with all of zod in it, and an object is bundled whole; of a module's names only those that are used. It
 * is rewritten here, and not in the sources, which would gain nothing.
 */
export const zodByName: Plugin = {
  name: "zod-by-name",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](src|demo[\\/]tools)[\\/].*\.ts$/ }, async ({ path: file }) => {
      if (file.includes("node_modules")) return undefined;
      return { contents: zodInNames(await readFile(file, "utf8")), loader: "ts" };
    });
  },
};

export const zodInNames = (text: string): string =>
  text.replace('import { z } from "zod";', 'import * as z from "zod";');

/** Nothing here logs from a worker thread, and the module that could start one would load `node:worker_threads`. */
const logWithoutThreads: Plugin = {
  name: "log-without-threads",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^thread-stream$/ }, () => ({ path: "thread-stream", namespace: "left-out" }));
    onLoad({ filter: /.*/, namespace: "left-out" }, () => ({ contents: "module.exports = class {};", loader: "js" }));
  },
};

export async function buildOptions({ out, sourceMaps }: PackageOptions, plugins: readonly Plugin[]) {
  return {
    outdir: out,
    entryNames: "[dir]/[name]",
    chunkNames: "[name]-[hash]",
    outExtension: { ".js": ".mjs" },
    // The given ones come before the stamp: a bundle that loads the sources itself, as that of `npm start` does, asks git at every start.
    plugins: [englishOnly, logWithoutThreads, demoTools, ...plugins, await stampCommit(), zodByName],
    bundle: true,
    platform: "node",
    target: "node22",
    // Code that several files share goes into one shared file, so that `instanceof` works across them.
    format: "esm",
    splitting: true,
    // Some packages' CommonJS build hides its own imports from the bundler.
    mainFields: ["module", "main"],
    sourcemap: sourceMaps,
    // Halves the bytes to read at a start; names are kept for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    // CommonJS packages inside an ECMAScript module still call `require` for Node's built-in modules.
    banner: {
      js: 'import { createRequire as bundleRequire } from "node:module"; const require = bundleRequire(import.meta.url);',
    },
    metafile: true,
    logLevel: "warning",
  } satisfies BuildOptions;
}

/** The size of a bundle: of the files that its entry reads at a start, and of all of them. */
export function describeBundle({ outputs }: Metafile, entry: string): string {
  const files = Object.keys(outputs).filter((name) => !name.endsWith(".map"));
  const read = new Set<string>();
  const readAtLoad = (name: string): void => {
    if (read.has(name)) return;
    read.add(name);
    for (const { path: other, kind } of outputs[name]?.imports ?? [])
      if (kind === "import-statement" && other in outputs) readAtLoad(other);
  };
  for (const name of files) if (path.basename(name) === entry) readAtLoad(name);
  const kilobytes = (names: Iterable<string>): number =>
    Math.round([...names].reduce((sum, name) => sum + (outputs[name]?.bytes ?? 0), 0) / 1024);
  return `${entry} loads ${kilobytes(read)} KB of ${kilobytes(files)} KB in ${files.length} files`;
}

/** Writes the commit into a package: COMMIT where the environment names one (an image is built without git), else git's. */
async function stampCommit(): Promise<Plugin> {
  const named = process.env["COMMIT"];
  const stamp = named === undefined || named === "" ? await commit() : named;
  return {
    name: "stamp-commit",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]shared[\\/]src[\\/]platform[\\/]build\.ts$/ }, () => ({
        contents: `const stamp = Promise.resolve(${JSON.stringify(stamp)}); export const commit = () => stamp;`,
      }));
    },
  };
}
