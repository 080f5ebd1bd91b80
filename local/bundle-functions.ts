/**
 * `npm run bundle:functions [-- folder]`: the functions app as one file without node_modules, ready to be published from
 * out/functions (or the folder). The Functions worker provides `@azure/functions-core`; everything else is inside.
 */
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const root = new URL("../", import.meta.url);
const folder = process.argv[2];
const out = folder === undefined ? new URL("out/functions/", root) : pathToFileURL(`${path.resolve(folder)}/`);

const at = (name: string, base: URL = root): string => fileURLToPath(new URL(name, base));

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
/** What is only imported when needed becomes a file of its own, so that a cold start does not read it. */
const lazyParts: Plugin = {
  name: "lazy-parts",
  setup({ onResolve }) {
    onResolve({ filter: /\/lazy\/[\w-]+\.ts$/ }, ({ path: name, kind }) =>
      kind === "dynamic-import" ? { path: `./${path.basename(name, ".ts")}.cjs`, external: true } : undefined,
    );
  },
};

const lazyFolder = at("functions/src/lazy/");
const lazyEntries = (await readdir(lazyFolder)).map((name) => path.join(lazyFolder, name));

const { metafile } = await build({
  entryPoints: [at("functions/src/main.ts"), ...lazyEntries],
  outdir: fileURLToPath(out),
  entryNames: "[name]",
  outExtension: { ".js": ".cjs" },
  plugins: [lazyParts],
  bundle: true,
  platform: "node",
  target: "node22",
  format: "cjs",
  sourcemap: true,
  // Half the bytes to read at a cold start; names stay, for stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  // The worker's own module; it exists only there.
  external: ["@azure/functions-core"],
  // A CommonJS file has no import.meta; what asks for it wants to know where the bundle is.
  define: { "import.meta.url": "bundleUrl" },
  banner: { js: 'const bundleUrl = require("node:url").pathToFileURL(__filename).href;' },
  metafile: true,
  logLevel: "warning",
});
await cp(at("host.json"), at("host.json", out));
await cp(at("shared/catalog"), at("catalog", out), { recursive: true });
await writeFile(
  at("package.json", out),
  `${JSON.stringify({ name: "voice-agent-functions", private: true, main: "main.cjs" }, undefined, 2)}\n`,
);
const sizes = Object.entries(metafile.outputs).map(([name, { bytes }]) => `${name} (${Math.round(bytes / 1024)} KB)`);
console.log(
  `${sizes.filter((size) => !size.includes(".map")).join(", ")}, with host.json, package.json and the catalog`,
);
