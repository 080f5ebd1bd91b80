/** Takes along what is the deployer's own: agents, tools and providers, in the folder `own` of the repository. */
import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import path from "node:path";
import { pathOf } from "./build-options.ts";

/** With what is installed in it. Its name stays, so that `CATALOG_DIR=own/catalog` means the same here and in the package. */
export async function packageOwn(out: string, from = pathOf("own")): Promise<void> {
  if (existsSync(from)) await cp(from, path.join(out, "own"), { recursive: true });
}
