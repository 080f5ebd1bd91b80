/** Puts the schemas into a catalog's folder, where the first line of each file names its own. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { catalogSchemas, schemaNames } from "./catalog-schemas.ts";

/** Hidden, and no folder that a catalog is read from. */
const schemasFolder = ".schemas";

/** Resolves with the files it wrote, relative to the folder. `tools`: those to offer beside the built-in ones. */
export async function writeSchemas(folder: string, tools: Iterable<string> = []): Promise<readonly string[]> {
  const schemas = catalogSchemas([...builtInTools.keys(), ...tools]);
  await mkdir(join(folder, schemasFolder), { recursive: true });
  return Promise.all(
    schemaNames.map(async (name) => {
      const file = join(schemasFolder, `${name}.json`);
      await writeFile(join(folder, file), `${JSON.stringify(schemas[name], undefined, 2)}\n`);
      return file;
    }),
  );
}
