/** A built console in memory: a handful of small files, so that no request touches the disk or can leave the folder. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

export interface ConsoleFile {
  readonly body: Buffer;
  readonly gzipped: Buffer;
  readonly contentType: string;
  readonly etag: string;
  /** Its name changes with its content, so a browser may keep it for good. */
  readonly isImmutable: boolean;
}

/** By URL path: `/index.html`, `/assets/…`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

export async function readConsoleFiles(folder: string): Promise<ConsoleFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(
    paths.map(async (path): Promise<[string, ConsoleFile]> => {
      const body = await readFile(path);
      const urlPath = `/${relative(folder, path).split(sep).join("/")}`;
      return [
        urlPath,
        {
          body,
          gzipped: await promisify(gzip)(body, { level: 9 }),
          contentType: contentTypes[extname(path)] ?? "application/octet-stream",
          // Weak: the same page, compressed or not.
          etag: `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
          isImmutable: urlPath.startsWith("/assets/"),
        },
      ];
    }),
  );
  return new Map(files);
}
