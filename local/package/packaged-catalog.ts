/** The catalogs as a package carries them: checked, and as JSON, which is YAML and is read thirty times as fast. */
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadServiceCatalog } from "@voice/shared/catalog/load-service-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { loadSettings } from "@voice/shared/config/load";
import { demoCatalogDir, demoToolsDir } from "@voice/shared/demo/demo";
import { build } from "esbuild";
import { parse } from "yaml";
import { englishOnly, zodByName } from "./build-options.ts";

/** Throws a `CatalogError` where there is a mistake, because a package does not check these catalogs again. */
export async function packageCatalog(out: string): Promise<void> {
  await loadServiceCatalog(loadSettings({}), catalogLanguage);
  await copyAsJson(builtInCatalogDir(), path.join(out, "catalog"));
  await copyAsJson(demoCatalogDir, path.join(out, "demo/catalog"));
  await compileDemoTools(path.join(out, "demo"));
}

/**
 * Node reads no TypeScript below node_modules, and takes a twentieth of a second of each start to read it elsewhere. The tools' common code is
 * beside their folder, of which every file is a tool. They have what they use of zod with them: what is offered to others is the whole of it.
 */
async function compileDemoTools(demo: string): Promise<void> {
  await build({
    entryPoints: [path.join(demoToolsDir, "*.ts")],
    outdir: demo,
    entryNames: "tools/[name]",
    chunkNames: "common/[name]-[hash]",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node22",
    format: "esm",
    minifyWhitespace: true,
    external: ["@voice/tool-kit"],
    plugins: [englishOnly, zodByName],
    logLevel: "warning",
  });
}

async function copyAsJson(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  for (const name of await readdir(to, { recursive: true })) {
    if (!name.endsWith(".yaml")) continue;
    const file = path.join(to, name);
    await writeFile(file, JSON.stringify(parse(await readFile(file, "utf8")) ?? {}));
  }
}
