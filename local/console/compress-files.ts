/** Compresses what was built, once and as far as it goes, so that the server never has to. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Compressing smaller files gains nothing, because they fit into one packet anyway. */
const worthwhileBytes = 1024;

export async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const body = await readFile(path);
        if (body.length < worthwhileBytes) return;
        await writeFile(`${path}.gz`, await promisify(gzip)(body, { level: 9 }));
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        };
        await writeFile(`${path}.br`, await promisify(brotliCompress)(body, { params }));
      }),
  );
}
