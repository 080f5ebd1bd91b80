/**
 * A built console, held in memory: a handful of small files, so that no request reads the disk or can leave the folder.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

/** In order of preference: brotli is a seventh smaller than gzip. */
export const encodings = [
  { name: "br", extension: ".br" },
  { name: "gzip", extension: ".gz" },
] as const;

type EncodingName = (typeof encodings)[number]["name"];

export interface PageFile {
  readonly body: Buffer;
  /** The compressed variants from the build: nothing is compressed on a machine that sends audio. */
  readonly compressed: ReadonlyMap<EncodingName, Buffer>;
  readonly contentType: string;
  readonly etag: string;
  /** The file's name changes with its content, so browsers may cache it for ever. */
  readonly isImmutable: boolean;
}

/** The files, by URL path: `/index.html`, `/assets/…`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

export async function readPageFiles(folder: string): Promise<PageFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = new Map(
    await Promise.all(paths.map(async (path): Promise<[string, Buffer]> => [path, await readFile(path)])),
  );
  const isCompressed = (path: string): boolean => encodings.some(({ extension }) => path.endsWith(extension));
  const files = [...contents].filter(([path]) => !isCompressed(path));
  return new Map(
    files.map(([path, body]) => {
      const urlPath = `/${relative(folder, path).split(sep).join("/")}`;
      const compressed = encodings.flatMap(({ name, extension }): [EncodingName, Buffer][] => {
        const beside = contents.get(`${path}${extension}`);
        return beside === undefined ? [] : [[name, beside]];
      });
      return [
        urlPath,
        {
          body,
          compressed: new Map(compressed),
          contentType: contentTypes[extname(path)] ?? "application/octet-stream",
          // Weak, because the page is the same compressed or not.
          etag: `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
          isImmutable: urlPath.startsWith("/assets/"),
        },
      ];
    }),
  );
}
