/** The catalogs as a package carries them: checked, and as JSON, which is YAML and is read thirty times as fast. */
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadServiceCatalog } from "@voice/shared/catalog/load-service-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { loadSettings } from "@voice/shared/config/load";
import { demoCatalogDir, demoToolsDir } from "@voice/shared/demo/demo";
import type { Plugin } from "esbuild";
import { parse } from "yaml";

/** Throws a `CatalogError` where there is a mistake, because a package does not check these catalogs again. */
export async function packageCatalog(out: string): Promise<void> {
  await loadServiceCatalog(loadSettings({}), catalogLanguage);
  await copyAsJson(builtInCatalogDir(), path.join(out, "catalog"));
  await copyAsJson(demoCatalogDir, path.join(out, "demo/catalog"));
}

/**
 * The demonstration's tools, as one entry of a package's own bundle: Node reads no TypeScript below node_modules, and each first answer of a
 * new instance loads them, which takes a file as long as all of them. They share what the service has of zod.
 */
export const demoToolsEntry: Readonly<Record<string, string>> = { "demo/tools/all": "demo-tools" };

export const demoTools: Plugin = {
  name: "demo-tools",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^demo-tools$/ }, () => ({ path: "all", namespace: "demo-tools" }));
    onLoad({ filter: /.*/, namespace: "demo-tools" }, async () => {
      const files = (await readdir(demoToolsDir)).filter((name) => name.endsWith(".ts"));
      return { contents: files.map((name) => `export * from "./${name}";`).join("\n"), resolveDir: demoToolsDir };
    });
  },
};

async function copyAsJson(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  for (const name of await readdir(to, { recursive: true })) {
    if (!name.endsWith(".yaml")) continue;
    const file = path.join(to, name);
    await writeFile(file, JSON.stringify(parse(await readFile(file, "utf8")) ?? {}));
  }
}
