/** Packs a catalog's folder into one file to download. */
import { strToU8, zipSync } from "fflate";

import type { CatalogFiles } from "./catalog-files.ts";

export function catalogArchive(files: CatalogFiles): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(files).map(([path, text]) => [path, strToU8(text)] as const);
  return zipSync(Object.fromEntries(entries));
}
