/** The built-in catalog as a package carries it: checked, and as JSON, which is YAML and is read thirty times as fast. */
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadServiceCatalog } from "@voice/shared/catalog/load-service-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { loadSettings } from "@voice/shared/config/load";
import { parse } from "yaml";

/** Throws a `CatalogError` where it has a mistake, because a package does not check its built-in catalog again. */
export async function packageCatalog(out: string): Promise<void> {
  await loadServiceCatalog(loadSettings({}), { language: catalogLanguage });
  const folder = path.join(out, "catalog");
  await cp(builtInCatalogDir(), folder, { recursive: true });
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith(".yaml")) continue;
    const file = path.join(folder, name);
    await writeFile(file, JSON.stringify(parse(await readFile(file, "utf8")) ?? {}));
  }
}
