/** The types of a kit that is packaged, with those of the service that they need, so that the package needs nothing else. */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { pathOf } from "./build-options.ts";

/** `@voice/shared/platform/errors` in a declaration is a file of that package. */
const ownPackage = /^@voice\/(shared|provider-kit|client-kit)\/(.+)$/;
const specifiers = /(?<=\bfrom "|\bimport\(")[^"]+(?=")/g;

/** Resolves to how many there are. */
export async function copyDeclarations(kit: string, files: readonly string[], to: string): Promise<number> {
  await promisify(execFile)(pathOf("node_modules/.bin/tsc"), ["-b", pathOf(kit)]);
  const copied = new Set<string>();
  for (const file of files) await copyDeclaration(`${kit}/${file}`, to, copied);
  return copied.size;
}

/** What every package of this repository says of itself. */
export async function readManifest(): Promise<{ readonly version: string; readonly license: string }> {
  const text = await readFile(pathOf("package.json"), "utf8");
  return z.object({ version: z.string(), license: z.string() }).parse(JSON.parse(text));
}

/** `name` is `package/path`. Copies the declaration and all that it imports, with paths in place of package names. */
async function copyDeclaration(name: string, to: string, copied: Set<string>): Promise<void> {
  if (copied.has(name)) return;
  copied.add(name);
  const text = await readFile(pathOf(`out/types/${name}.d.ts`), "utf8");
  const wanted: string[] = [];
  const rewritten = text.replaceAll(specifiers, (specifier) => {
    const found = declarationOf(specifier, name);
    if (found === undefined) return specifier;
    wanted.push(found);
    const relative = path.posix.relative(path.posix.dirname(name), found);
    return `${relative.startsWith(".") ? "" : "./"}${relative}.js`;
  });
  const file = path.join(to, `${name}.d.ts`);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, rewritten);
  for (const next of wanted) await copyDeclaration(next, to, copied);
}

/** Undefined for a package of somebody else. */
function declarationOf(specifier: string, from: string): string | undefined {
  const [, ownName, inside] = ownPackage.exec(specifier) ?? [];
  if (ownName !== undefined) return `${ownName}/${inside}`;
  if (!specifier.startsWith(".")) return undefined;
  return path.posix.join(path.posix.dirname(from), specifier).replace(/\.ts$/, "");
}
