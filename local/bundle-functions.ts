/**
 * `npm run bundle:functions [-- folder]`: the functions app without node_modules, ready to be published from
 * out/functions (or the folder). The Functions worker provides `@azure/functions-core`; everything else is inside.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadServiceCatalog } from "@voice/shared/catalog/load-service-catalog";
import { loadSettings } from "@voice/shared/config/load";
import { build } from "esbuild";
import type { Plugin } from "esbuild";
import { parse } from "yaml";
import { places } from "../functions/src/places.ts";

const root = new URL("../", import.meta.url);
const folder = process.argv[2];
const out = folder === undefined ? new URL("out/functions/", root) : pathToFileURL(`${path.resolve(folder)}/`);

const at = (name: string, base: URL = root): string => fileURLToPath(new URL(name, base));

/** zod brings its messages in 49 languages, 260 KB that every cold start would read; ours are English. */
const englishOnly: Plugin = {
  name: "english-only",
  setup({ onResolve }) {
    onResolve({ filter: /\/locales\/index\.js$/ }, ({ resolveDir, path: name }) => {
      const locales = path.resolve(resolveDir, path.dirname(name));
      return locales.includes(`${path.sep}zod${path.sep}`) ? { path: path.join(locales, "en.js") } : undefined;
    });
  },
};

/** The list of the routes as data: what it is worked out from is needed by the first request only. */
const placesAsData: Plugin = {
  name: "places-as-data",
  setup({ onLoad }) {
    onLoad({ filter: /\/functions\/src\/places\.ts$/ }, () => ({
      contents: `export const places = ${JSON.stringify(places)};`,
    }));
  },
};

// The app takes its word for it that the built-in catalog is without mistakes.
await loadServiceCatalog(loadSettings({}), { language: catalogLanguage });
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });

const { metafile } = await build({
  entryPoints: [at("functions/src/main.ts")],
  outdir: fileURLToPath(out),
  entryNames: "[name]",
  chunkNames: "[name]-[hash]",
  outExtension: { ".js": ".mjs" },
  plugins: [englishOnly, placesAsData],
  bundle: true,
  platform: "node",
  target: "node22",
  // What is imported with import() becomes a file of its own, which only those who need it read; what several files
  // share is in one more, once, so that `instanceof` holds across them.
  format: "esm",
  splitting: true,
  // Some packages' CommonJS build hides its own imports from the bundler.
  mainFields: ["module", "main"],
  sourcemap: true,
  // Half the bytes to read at a cold start; names stay, for stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  // The worker's own module; it exists only there.
  external: ["@azure/functions-core"],
  // CommonJS packages inside an ECMAScript module still call `require` for what Node brings.
  banner: {
    js: 'import { createRequire as bundleRequire } from "node:module"; const require = bundleRequire(import.meta.url);',
  },
  metafile: true,
  logLevel: "warning",
});
await cp(at("host.json"), at("host.json", out));
await cp(at("shared/catalog"), at("catalog", out), { recursive: true });
await writeYamlAsJson(at("catalog", out));
for (const name of ["script.js", "style.css"])
  await cp(at(`functions/docs-page/${name}`), at(`docs-page/${name}`, out));
await writeFile(
  at("package.json", out),
  `${JSON.stringify({ name: "voice-agent-functions", private: true, type: "module", main: "main.mjs" }, undefined, 2)}\n`,
);
const files = Object.entries(metafile.outputs).filter(([name]) => !name.endsWith(".map"));
const read = new Set<string>();
const readAtLoad = (name: string): void => {
  if (read.has(name)) return;
  read.add(name);
  for (const { path: other, kind } of metafile.outputs[name]?.imports ?? [])
    if (kind === "import-statement" && other in metafile.outputs) readAtLoad(other);
};
for (const [name] of files) if (path.basename(name) === "main.mjs") readAtLoad(name);
const kilobytes = (names: Iterable<string>): number =>
  Math.round([...names].reduce((sum, name) => sum + (metafile.outputs[name]?.bytes ?? 0), 0) / 1024);
console.log(
  `main.mjs loads ${kilobytes(read)} KB of ${kilobytes(files.map(([name]) => name))} KB in ${files.length} files, ` +
    "with host.json, package.json, the catalog and the page at /docs",
);

/** JSON is YAML too, and a cold start reads it thirty times as fast. */
async function writeYamlAsJson(dir: string): Promise<void> {
  for (const name of await readdir(dir, { recursive: true })) {
    if (!name.endsWith(".yaml")) continue;
    const file = path.join(dir, name);
    await writeFile(file, JSON.stringify(parse(await readFile(file, "utf8")) ?? {}));
  }
}
